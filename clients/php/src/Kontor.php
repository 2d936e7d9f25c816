<?php

// The client of the Kontor API: `new Kontor($baseUrl, $apiKey)`, then `$kontor->orders->add([…])`.

declare(strict_types=1);

namespace Kontor;

final class Kontor extends Methods
{
    /**
     * @param string $baseUrl The address of the server, such as `https://kontor.example.com`.
     * @param float $timeoutSeconds How long one attempt may take, including the response.
     * @param int $retries How many attempts may follow the first.
     * @param null|\Closure(Attempt): void $onAttempt Called for every attempt, for logs and metrics.
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string $apiKey,
        float $timeoutSeconds = 30.0,
        int $retries = 4,
        ?\Closure $onAttempt = null,
    ) {
        parent::__construct(new Transport($baseUrl, $apiKey, $timeoutSeconds, $retries, $onAttempt));
    }
}
