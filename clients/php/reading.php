<?php

// Follows the feed, or streams a list, run by clients/reading.clients.test.ts. Prints a line of JSON for each entry.

declare(strict_types=1);

use Kontor\Kontor;
use Kontor\KontorError;

// What Composer's autoloader does with the psr-4 rule of composer.json.
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Kontor\\'))) . '.php';
});

$print = static function (mixed $value): void {
    echo json_encode($value, JSON_THROW_ON_ERROR), "\n";
};
$kontor = new Kontor((string) getenv('KONTOR_URL'), (string) getenv('KONTOR_KEY'), retries: 0);

$follow = static function () use ($kontor, $print): void {
    $stopAt = INF;
    $stop = static function () use (&$stopAt): bool {
        return microtime(true) > $stopAt;
    };
    $position = json_decode((string) getenv('POSITION'), true);
    $longestPause = (float) getenv('LONGEST_PAUSE_SECONDS');
    try {
        foreach ($kontor->events->follow($position, 2, longestPauseSeconds: $longestPause, stop: $stop) as $next => $event) {
            $print([$event['type'], $event['id'], $next]);
            // While the next request is awaited.
            if ($event['type'] === 'unit.deleted') {
                $stopAt = microtime(true) + 0.1;
            }
        }
        $print('stopped');
    } catch (KontorError $error) {
        $print([$error->errorCode, $error->status]);
    }
};

$stream = static function () use ($kontor, $print): void {
    [$count, $total] = [0, 0];
    try {
        foreach ($kontor->orders->stream(['include' => ['lines']]) as $order) {
            $count++;
            $total += $order['total'] + count($order['products'] ?? []);
        }
        $print([$count, $total]);
    } catch (KontorError $error) {
        $print([$error->status, $error->retryable]);
    }
};

$argv[1] === 'follow' ? $follow() : $stream();
