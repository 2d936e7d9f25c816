<?php

// Sends a call, and sends it again where that is safe. A write has an Idempotency-Key, the same in all its attempts, so that the
// server does it once, however often it was sent.

declare(strict_types=1);

namespace Kontor;

final class Transport
{
    private const USER_AGENT = 'kontor-php';
    private const FIRST_PAUSE_SECONDS = 0.2;
    private const LONGEST_PAUSE_SECONDS = 5.0;
    /** A call whose Retry-After is longer fails, so that the caller can decide. */
    private const LONGEST_RETRY_AFTER_SECONDS = 30.0;
    private const IN_PROGRESS = 'A request with this Idempotency-Key is in progress';

    private readonly string $baseUrl;
    private ?\CurlHandle $handle = null;

    /** @param null|\Closure(Attempt): void $onAttempt */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly float $timeoutSeconds,
        private readonly int $retries,
        private readonly ?\Closure $onAttempt,
    ) {
        if (preg_match('#^https?://#', $baseUrl) !== 1) {
            throw new \InvalidArgumentException("$baseUrl is not the address of a server");
        }
        if (preg_match('/[^\x21-\x7e]/', $apiKey) === 1) {
            throw new \InvalidArgumentException('The API key cannot be sent in a header');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /**
     * @param array<string, mixed> $input
     * @return array<string, mixed>
     */
    public function sendRead(string $path, array $input): array
    {
        return $this->send($path, $input, []);
    }

    /**
     * @param array<string, mixed> $input
     * @return array<string, mixed>
     */
    public function sendWrite(string $path, array $input, ?string $idempotencyKey, bool $dryRun): array
    {
        if ($dryRun) {
            return $this->send($path, $input, ['Kontor-Dry-Run' => 'true']);
        }
        return $this->send($path, $input, ['Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16))]);
    }

    /**
     * Requests page after page until one is not full. The list may change between two pages.
     *
     * @param array<string, mixed> $input
     */
    public function eachRecord(string $path, string $field, array $input, int $pageSize): \Generator
    {
        for ($offset = 0; ; $offset += $pageSize) {
            $records = $this->sendRead($path, ['limit' => $pageSize, 'offset' => $offset] + $input)[$field];
            foreach ($records as $record) {
                yield $record;
            }
            if (count($records) < $pageSize) {
                return;
            }
        }
    }

    /**
     * The records of one response, as they arrive.
     *
     * @param array<string, mixed> $input
     */
    public function streamRecords(string $path, string $field, array $input): \Generator
    {
        $reply = $this->attempts($path, $input, [], true);
        $body = $reply->stream ?? throw new \LogicException('A response that is streamed has a body');
        $scanner = new RecordScanner($field);
        $cause = '';
        try {
            while (($part = $body->read()) !== null) {
                foreach ($scanner->add($part) as $record) {
                    yield $record;
                }
            }
            $cause = $body->error();
        } catch (\JsonException $error) {
            $cause = $error->getMessage();
        } finally {
            // Also when the caller stops early.
            $body->close();
        }
        $whole = json_decode($scanner->rest, true);
        if ($cause !== '' || !is_array($whole) || ($whole['success'] ?? null) !== true) {
            $status = $cause !== '' || $scanner->hasStarted() ? 0 : $reply->status;
            $requestId = $reply->headers['x-request-id'] ?? null;
            $reason = $cause !== '' || $status !== 0 ? $cause : 'the list ended before its end';
            throw new KontorError($path, $status, '', $status === 0, 1, $requestId, cause: $reason);
        }
    }

    /**
     * @param array<string, mixed> $input
     * @param array<string, string> $headers
     * @return array<string, mixed> The fields of the response without `success`.
     */
    private function send(string $path, array $input, array $headers): array
    {
        $answer = $this->attempts($path, $input, $headers, false)->answer;
        unset($answer['success']);
        return $answer;
    }

    /**
     * @param array<string, mixed> $input
     * @param array<string, string> $headers
     */
    private function attempts(string $path, array $input, array $headers, bool $isStream): Reply
    {
        // Serialized once: the server compares the bytes of requests with the same key.
        $body = json_encode((object) $input, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        for ($attempt = 1; ; $attempt++) {
            $started = microtime(true);
            $reply = $this->exchange($path, $body, $headers, $isStream);
            $this->report($path, $attempt, microtime(true) - $started, $reply);
            if ($reply->isSuccess()) {
                return $reply;
            }
            $text = $reply->errorText();
            $retryable = self::mayRepeat($reply->status, $text);
            $retryAfter = $reply->secondsToWait();
            if (!$retryable || $attempt > $this->retries || ($retryAfter ?? 0.0) > self::LONGEST_RETRY_AFTER_SECONDS) {
                $key = $headers['Idempotency-Key'] ?? null;
                $requestId = $reply->headers['x-request-id'] ?? null;
                $code = $reply->headers['kontor-error-code'] ?? null;
                throw new KontorError($path, $reply->status, $text, $retryable, $attempt, $requestId, $retryAfter, $key, $reply->cause, $code);
            }
            usleep((int) (1e6 * max(self::growingPause($attempt), $retryAfter ?? 0.0)));
        }
    }

    /**
     * One attempt. A failure without a response has status 0.
     *
     * @param array<string, string> $headers
     */
    private function exchange(string $path, string $body, array $headers, bool $isStream): Reply
    {
        $lines = ["Authorization: $this->apiKey", 'Content-Type: application/json', 'Expect:'];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $received = [];
        // Other calls may be made while a response is streamed.
        $handle = $isStream ? curl_init() : $this->handle ??= curl_init();
        curl_setopt_array($handle, [
            CURLOPT_URL => $this->baseUrl . $path,
            CURLOPT_POST => true,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_USERAGENT => self::USER_AGENT,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_ENCODING => '',
            // A redirect would turn the POST into a GET and could send the key to another server.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT_MS => (int) ceil($this->timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => null];
                if ($value !== null) {
                    $received[strtolower(trim($name))] = trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($isStream) {
            $stream = new StreamedBody($handle, $this->timeoutSeconds);
            $status = $stream->open();
            $reply = $status === 200
                ? new Reply($status, $received, '', '', $stream)
                : new Reply($status, $received, $status === 0 ? '' : $stream->readAll(), $stream->error());
            return $stream->isEmpty() ? self::unlessCut($reply) : $reply;
        }
        $text = curl_exec($handle);
        if (!is_string($text)) {
            return new Reply(0, [], '', curl_error($handle));
        }
        return self::unlessCut(new Reply(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $received, $text));
    }

    private static function unlessCut(Reply $reply): Reply
    {
        return $reply->isCut() ? new Reply(0, [], '', 'the connection was closed within the response') : $reply;
    }

    private function report(string $path, int $attempt, float $durationSeconds, Reply $reply): void
    {
        if ($this->onAttempt === null) {
            return;
        }
        $remaining = $reply->headers['ratelimit-remaining'] ?? null;
        ($this->onAttempt)(new Attempt(
            $path,
            $attempt,
            $reply->status,
            $durationSeconds,
            $reply->headers['x-request-id'] ?? null,
            ($reply->headers['idempotent-replayed'] ?? null) === 'true',
            $remaining === null ? null : (int) $remaining,
        ));
    }

    /** 502 and 504 come from a proxy that could not reach the server. 400, 401 and 429 would be the same again. */
    private static function mayRepeat(int $status, string $text): bool
    {
        return in_array($status, [0, 500, 502, 503, 504], true) || ($status === 409 && $text === self::IN_PROGRESS);
    }

    /** Doubles with every attempt; half of it is random, so that clients that failed together do not retry together. */
    private static function growingPause(int $attempt): float
    {
        $pause = min(self::LONGEST_PAUSE_SECONDS, self::FIRST_PAUSE_SECONDS * 2 ** ($attempt - 1));
        return $pause * (0.5 + random_int(0, 1_000_000) / 2_000_000);
    }
}
