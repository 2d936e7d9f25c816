<?php

// A feed of changes as one sequence that goes on for ever, or until now.

declare(strict_types=1);

namespace Kontor;

final class Feed
{
    private const FIRST_PAUSE_SECONDS = 1.0;
    /** How often a waiting feed checks whether it should stop. */
    private const STEP_SECONDS = 0.1;

    /**
     * The key of each entry is the position after it. Entries without a number of their own (`seq`) have the position of the start of their page,
     * except for the last one. Waits while the server cannot be reached; every other failure is thrown: 409 with the code `feed_restarted` after a
     * restore.
     *
     * @param \Closure(array<string, mixed>): array<string, mixed> $read
     * @param array{after: int, epoch?: string} $position
     * @param null|\Closure(): bool $stop
     */
    public static function follow(
        \Closure $read,
        string $field,
        array $position,
        int $pageSize,
        bool $wait,
        float $longestPauseSeconds,
        ?\Closure $stop,
    ): \Generator {
        $stop ??= static fn (): bool => false;
        $pause = self::FIRST_PAUSE_SECONDS;
        while (!$stop()) {
            $page = null;
            try {
                $page = $read($position + ['limit' => $pageSize]);
            } catch (KontorError $error) {
                if (!$wait || !$error->retryable) {
                    throw $error;
                }
            }
            if ($page !== null) {
                $last = count($page[$field]) - 1;
                foreach ($page[$field] as $at => $entry) {
                    if ($stop()) {
                        return;
                    }
                    $after = $at === $last ? $page['next'] : $entry['seq'] ?? $position['after'];
                    yield ['after' => $after, 'epoch' => $page['epoch']] => $entry;
                }
                if ($last >= 0) {
                    $pause = self::FIRST_PAUSE_SECONDS;
                }
                $position = ['after' => $page['next'], 'epoch' => $page['epoch']];
                if ($page['more']) {
                    continue;
                }
            }
            if (!$wait) {
                return;
            }
            self::sleep(min($pause, $longestPauseSeconds), $stop);
            $pause *= 2;
        }
    }

    /** @param \Closure(): bool $stop */
    private static function sleep(float $seconds, \Closure $stop): void
    {
        for ($end = microtime(true) + $seconds; ($left = $end - microtime(true)) > 0 && !$stop();) {
            usleep((int) (1e6 * min($left, self::STEP_SECONDS)));
        }
    }
}
