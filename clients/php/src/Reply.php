<?php

// What came back from the server, or why nothing did.

declare(strict_types=1);

namespace Kontor;

final class Reply
{
    /**
     * @param int $status 0 when no response arrived.
     * @param array<string, string> $headers With names in lower case.
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
        public readonly string $cause = '',
    ) {
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
