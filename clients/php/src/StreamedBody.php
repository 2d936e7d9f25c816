<?php

// The body of a response that is read in parts while it arrives.

declare(strict_types=1);

namespace Kontor;

final class StreamedBody
{
    private const STEP_SECONDS = 0.2;
    /** While the caller has not taken so much, nothing more is read from the connection. */
    private const MOST_BYTES = 65_536;

    private readonly \CurlMultiHandle $multi;
    private string $arrived = '';
    private bool $paused = false;
    private bool $ended = false;
    private string $error = '';

    /**
     * @param \CurlHandle $handle With everything set but what happens to the body.
     * @param float $timeoutSeconds How long nothing may arrive. The time that the caller takes in between does not count.
     */
    public function __construct(private readonly \CurlHandle $handle, private readonly float $timeoutSeconds)
    {
        curl_setopt($handle, CURLOPT_TIMEOUT_MS, 0);
        curl_setopt($handle, CURLOPT_WRITEFUNCTION, function (\CurlHandle $_, string $bytes): int {
            if (strlen($this->arrived) >= self::MOST_BYTES) {
                $this->paused = true;
                // curl keeps these bytes, and passes them on again.
                return CURL_WRITEFUNC_PAUSE;
            }
            $this->arrived .= $bytes;
            return strlen($bytes);
        });
        $this->multi = curl_multi_init();
        curl_multi_add_handle($this->multi, $handle);
    }

    /** Waits for the first part of the body. The status of the response; 0 when none arrived. */
    public function open(): int
    {
        $this->wait();
        return $this->error === '' ? curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE) : 0;
    }

    /** The next part of the body; null after the last one. */
    public function read(): ?string
    {
        $this->wait();
        [$part, $this->arrived] = [$this->arrived, ''];
        return $part === '' ? null : $part;
    }

    /** After `open`: the response ended without a body. */
    public function isEmpty(): bool
    {
        return $this->ended && $this->arrived === '';
    }

    /** The rest of a body that is small. */
    public function readAll(): string
    {
        for ($text = ''; ($part = $this->read()) !== null;) {
            $text .= $part;
        }
        return $text;
    }

    /** Why the response ended before its end; empty when it did not. */
    public function error(): string
    {
        return $this->error;
    }

    /** Ends the connection unless the response has ended. */
    public function close(): void
    {
        curl_multi_remove_handle($this->multi, $this->handle);
        $this->ended = true;
    }

    /** Until something has arrived, or nothing will. */
    private function wait(): void
    {
        $since = microtime(true);
        while ($this->arrived === '' && !$this->ended) {
            if ($this->paused) {
                $this->paused = false;
                curl_pause($this->handle, CURLPAUSE_CONT);
            }
            curl_multi_exec($this->multi, $running);
            if ($running === 0) {
                $this->ended = true;
                $info = curl_multi_info_read($this->multi);
                if ($info !== false && $info['result'] !== CURLE_OK) {
                    $this->error = curl_strerror($info['result']) ?? 'the connection failed';
                }
            } elseif ($this->arrived === '') {
                if (microtime(true) - $since > $this->timeoutSeconds) {
                    $this->ended = true;
                    $this->error = "nothing arrived within $this->timeoutSeconds s";
                    return;
                }
                curl_multi_select($this->multi, self::STEP_SECONDS);
            }
        }
    }
}
