// Keys in any keyboard layout, and sequences of two keys.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jumpKeys, withJumpKeys } from '../src/frame/jump-keys.ts'
import { latinKey, sequenceStep } from '../src/kit/key-sequence.ts'

test('a letter of another script stands for the Latin letter of its key, and all other keys stay as they are', () => {
  const cases: [key: string, code: string, expected: string][] = [
    ['g', 'KeyG', 'g'],
    ['п', 'KeyG', 'g'],
    ['П', 'KeyG', 'G'],
    ['о', 'KeyJ', 'j'],
    ['γ', 'KeyG', 'g'],
    ['ע', 'KeyG', 'g'],
    // The key of `z` on a German keyboard, and of `q` on a French one.
    ['z', 'KeyY', 'z'],
    ['q', 'KeyA', 'q'],
    // Latin letters that are not English are no shortcuts.
    ['ı', 'KeyI', 'ı'],
    ['ü', 'BracketLeft', 'ü'],
    ['ж', 'Semicolon', 'ж'],
    ['?', 'Digit7', '?'],
    ['Enter', 'Enter', 'Enter'],
    ['Process', 'KeyG', 'Process'],
  ]
  for (const [key, code, expected] of cases) assert.equal(latinKey({ key, code }), expected, `${key} of ${code}`)
})

/** What each key does: `-` nothing, `taken` no screen gets it, else the second key of the sequence. */
function pressed(...keys: readonly (readonly [key: string | undefined, atMs: number])[]): string[] {
  let waitsUntilMs: number | undefined
  return keys.map(([key, atMs]) => {
    const step = sequenceStep(waitsUntilMs, key, atMs)
    waitsUntilMs = step.waitsUntilMs
    return step.isTaken ? (step.second ?? 'taken') : '-'
  })
}

test('a sequence is two keys within a second and a half; the first alone does nothing', () => {
  assert.deepEqual(pressed(['g', 0], ['s', 400]), ['taken', 's'])
  assert.deepEqual(pressed(['g', 0], ['s', 1500]), ['taken', 's'])
  assert.deepEqual(pressed(['g', 0], ['s', 1501]), ['taken', '-'], 'too late: the key belongs to the screen')
  assert.deepEqual(pressed(['s', 0]), ['-'])
})

test('a sequence ends with its second key, whichever it is', () => {
  assert.deepEqual(pressed(['g', 0], ['s', 100], ['s', 200]), ['taken', 's', '-'])
  assert.deepEqual(pressed(['g', 0], ['j', 100], ['s', 200]), ['taken', 'j', '-'])
  assert.deepEqual(pressed(['g', 0], [undefined, 100], ['s', 200]), ['taken', '-', '-'], 'a key typed into a field')
  assert.deepEqual(pressed(['g', 0], ['g', 1000], ['s', 2000]), ['taken', 'taken', 's'], 'begun again')
})

test('each page has its own letter, and none that of the first key', () => {
  const letters = Object.values(jumpKeys)
  assert.ok(letters.every((letter) => /^[a-fh-z]$/.test(letter)))
  assert.equal(new Set(letters).size, letters.length)
  assert.equal(withJumpKeys('Sales', '/sales'), 'Sales (g s)')
  assert.equal(withJumpKeys('List', '/productions/list'), 'List')
})
