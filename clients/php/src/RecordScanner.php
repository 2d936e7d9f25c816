<?php

// Finds the records of a list in a response that arrives in parts, so that the whole response is never in memory.

declare(strict_types=1);

namespace Kontor;

final class RecordScanner
{
    /** The response without its records: a small JSON text, which is whole when the response is. */
    public string $rest = '';
    private string $text = '';
    private int $at = 0;
    /** Where the unfinished record begins. */
    private int $begin = 0;
    /** How many brackets are open in it. */
    private int $depth = 0;
    private bool $inString = false;
    private bool $started = false;
    private bool $ended = false;

    /** @param string $listed The field of the response with the records. */
    public function __construct(private readonly string $listed)
    {
    }

    /** False for a response that is not such a list. */
    public function hasStarted(): bool
    {
        return $this->started;
    }

    /**
     * The records that are whole now.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function add(string $bytes): \Generator
    {
        $this->text .= $bytes;
        if (!$this->started) {
            $this->findStart();
        }
        while ($this->started && !$this->ended && $this->next()) {
            if ($this->ended) {
                $this->text = substr($this->text, $this->at - 1);
            } else {
                yield json_decode(substr($this->text, $this->begin, $this->at - $this->begin), true, 512, JSON_THROW_ON_ERROR);
            }
        }
        if ($this->ended) {
            $this->rest .= $this->text;
            $this->text = '';
        } elseif ($this->started) {
            // Drops the records that have been returned.
            $kept = $this->depth === 0 ? $this->at : $this->begin;
            $this->text = substr($this->text, $kept);
            $this->at -= $kept;
            $this->begin = 0;
        }
    }

    private function findStart(): void
    {
        $pattern = '/"' . preg_quote($this->listed, '/') . '"\s*:\s*\[/';
        if (preg_match($pattern, $this->text, $found, PREG_OFFSET_CAPTURE) === 1) {
            $end = $found[0][1] + strlen($found[0][0]);
            $this->rest = substr($this->text, 0, $end);
            $this->text = substr($this->text, $end);
            $this->started = true;
        }
    }

    /** Goes to the end of the record, or of the list. False when more must arrive first. */
    private function next(): bool
    {
        $length = strlen($this->text);
        while (true) {
            $this->at += strcspn($this->text, $this->inString ? '"\\' : '"{}[]', $this->at);
            if ($this->at >= $length) {
                return false;
            }
            $character = $this->text[$this->at];
            if ($character === '\\') {
                // The escaped character may not have arrived yet.
                if ($this->at + 1 >= $length) {
                    return false;
                }
                $this->at += 2;
                continue;
            }
            $this->at++;
            if ($character === '"') {
                $this->inString = !$this->inString;
            } elseif ($character === '{' || $character === '[') {
                if ($this->depth === 0) {
                    $this->begin = $this->at - 1;
                }
                $this->depth++;
            } elseif ($this->depth === 0) {
                return $this->ended = true;
            } elseif (--$this->depth === 0) {
                return true;
            }
        }
    }
}
