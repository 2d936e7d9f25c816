// The contrast of every pair of colours that is used together: text at least 4.5 : 1, borders of controls at least 3 : 1.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dark, light, type Palette, variablesOf } from '../src/palette.ts'

type Name = keyof Palette

const surfaces: readonly Name[] = ['canvas', 'surface', 'subtle']
const states: readonly (readonly [Name, Name])[] = [
  ['accent', 'accentTint'],
  ['danger', 'dangerTint'],
  ['warning', 'warningTint'],
  ['success', 'successTint'],
  ['info', 'infoTint'],
]

const texts: readonly (readonly [Name, Name])[] = [
  ...(['text', 'secondary'] as const).flatMap((ink) => surfaces.map((under): [Name, Name] => [ink, under])),
  // Notes and placeholders are on cards and on the page, not on a row under the pointer.
  ['tertiary', 'canvas'],
  ['tertiary', 'surface'],
  ...states,
  ...states.flatMap(([ink]) => surfaces.map((under): [Name, Name] => [ink, under])),
  ...states.map(([, tint]): [Name, Name] => ['text', tint]),
  ...states.map(([, tint]): [Name, Name] => ['secondary', tint]),
]
const borders: readonly (readonly [Name, Name])[] = [
  ['control', 'canvas'],
  ['control', 'surface'],
]

for (const [scheme, palette] of Object.entries({ light, dark })) {
  test(`${scheme}: text has a contrast of 4.5 : 1 with what is behind it, and controls have borders of 3 : 1`, () => {
    assert.deepEqual(failing(palette, texts, 4.5), [])
    assert.deepEqual(failing(palette, borders, 3), [])
    assert.ok(contrast('#ffffff', palette.accentButton) >= 4.5, 'white text on a button')
  })
}

test('each colour is a variable of the style sheets', () => {
  assert.equal(variablesOf(light)['--kontor-accent-tint'], light.accentTint)
  assert.equal(Object.keys(variablesOf(dark)).length, Object.keys(dark).length)
})

test('the contrast is computed as WCAG defines it', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})

const failing = (palette: Palette, pairs: readonly (readonly [Name, Name])[], least: number): string[] =>
  pairs.flatMap(([ink, under]) => {
    const found = contrast(palette[ink], palette[under])
    return found < least ? [`${ink} on ${under}: ${found.toFixed(2)}`] : []
  })

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
