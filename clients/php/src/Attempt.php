<?php

// One attempt of a call, and its result.

declare(strict_types=1);

namespace Kontor;

final class Attempt
{
    /**
     * @param int $attempt 1 for the first.
     * @param int $status The HTTP status; 0 when no response arrived.
     * @param bool $replayed True when the server repeated the stored response to an earlier attempt.
     * @param null|int $remaining Requests that the company has left for the day.
     */
    public function __construct(
        public readonly string $path,
        public readonly int $attempt,
        public readonly int $status,
        public readonly float $durationSeconds,
        public readonly ?string $requestId,
        public readonly bool $replayed,
        public readonly ?int $remaining,
    ) {
    }
}
