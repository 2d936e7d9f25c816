<?php

// What came back from the server, or why nothing did.

declare(strict_types=1);

namespace Kontor;

final class Reply
{
    /** @var array<string, mixed> The body, if it is JSON. */
    public readonly array $answer;

    /**
     * @param int $status 0 when no response arrived.
     * @param array<string, string> $headers With names in lower case.
     * @param null|StreamedBody $stream The body, when it has not been read yet.
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly string $cause = '',
        public readonly ?StreamedBody $stream = null,
    ) {
        $answer = json_decode($body, true);
        $this->answer = is_array($answer) ? $answer : [];
    }

    public function isSuccess(): bool
    {
        return $this->status === 200 && ($this->stream !== null || ($this->answer['success'] ?? null) === true);
    }

    /** A response that ends within its headers looks like one without a body. */
    public function isCut(): bool
    {
        $hasLength = isset($this->headers['content-length']) || isset($this->headers['transfer-encoding']);
        return $this->status === 200 && !$hasLength && $this->answer === [];
    }

    /** The `error` text of the server; empty when it sent none. */
    public function errorText(): string
    {
        return is_string($this->answer['error'] ?? null) ? $this->answer['error'] : '';
    }

    /** The wait that the server asks for. At the daily limit it is the rest of the day. */
    public function secondsToWait(): ?float
    {
        $retryAfter = $this->headers['retry-after'] ?? ($this->status === 429 ? $this->headers['ratelimit-reset'] ?? null : null);
        if ($retryAfter === null) {
            return null;
        }
        if (ctype_digit($retryAfter)) {
            return (float) $retryAfter;
        }
        $time = strtotime($retryAfter);
        return $time === false ? null : max(0.0, (float) ($time - time()));
    }
}
