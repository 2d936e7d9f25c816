<?php

// The one exception of the client: a call that did not succeed.

declare(strict_types=1);

namespace Kontor;

final class KontorError extends \RuntimeException
{
    /**
     * @param int $status The HTTP status, or 0 when no response arrived.
     * @param string $text The `error` text of the server as it was sent; empty when it sent none.
     * @param bool $retryable True when the same call may succeed later without being changed; all attempts were used up.
     * @param int $attempts How often the call was sent.
     * @param null|string $requestId Identifies the request in the log of the service.
     * @param null|float $retryAfterSeconds Seconds to wait before trying again.
     * @param null|string $idempotencyKey The key that a write was sent with. Pass it again to repeat the call without doing it twice.
     * @param null|string $errorCode The kind of the error, such as `feed_restarted`: the reference lists them.
     */
    public function __construct(
        public readonly string $path,
        public readonly int $status,
        public readonly string $text,
        public readonly bool $retryable,
        public readonly int $attempts,
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfterSeconds = null,
        public readonly ?string $idempotencyKey = null,
        string $cause = '',
        public readonly ?string $errorCode = null,
    ) {
        $reason = $text !== '' ? $text : self::reason($status);
        $shown = ($status === 0 ? '' : "$status ") . $reason . ($cause === '' ? '' : ": $cause");
        parent::__construct("$path: $shown (attempts: $attempts)");
    }

    /** For responses without an error text. */
    private static function reason(int $status): string
    {
        return match (true) {
            $status === 0 => 'no response arrived',
            $status === 401 => 'the API key was not accepted',
            $status < 400 => 'the response is not from a Kontor server',
            default => 'no reason was given',
        };
    }
}
