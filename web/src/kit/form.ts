// The values of a form, the error of each field, and what binds inputs to them. A value that does not change stays the same object: the rows of a long
// document compare their lines.

import { type ReactNode, useMemo, useRef, useState } from 'react'

/** A value, or how it follows from the present one. */
type Change<T> = T | ((now: T) => T)

type Errors = Readonly<Record<string, ReactNode>>

type Setters<V> = {
  /** The latest values, which may not be rendered yet. */
  readonly getValues: () => V
  readonly setFieldValue: <K extends keyof V & string>(name: K, change: Change<V[K]>) => void
  /** Fields that are not given keep their value. */
  readonly setValues: (change: Partial<V> | ((now: V) => Partial<V>)) => void
  readonly setErrors: (errors: Errors) => void
  readonly clearErrors: () => void
  readonly clearFieldError: (name: keyof V & string) => void
}

type Bound<T> = {
  readonly value: T
  /** Takes the event of an input, or the value from what has no events. */
  readonly onChange: (changed: unknown) => void
  readonly error: ReactNode
}

export type Form<V> = Setters<V> & {
  readonly values: V
  readonly errors: Errors
  readonly getInputProps: <K extends keyof V & string>(name: K) => Bound<V[K]>
  readonly getCheckboxProps: (name: keyof V & string) => Omit<Bound<never>, 'value'> & { readonly checked: boolean }
}

const noErrors: Errors = {}

export function useForm<V extends Record<string, unknown>>(initial: V): Form<V> {
  const [values, render] = useState(initial)
  const [errors, setErrors] = useState(noErrors)
  const latest = useRef(values)
  const setters = useMemo((): Setters<V> => {
    const put = (now: V): void => {
      latest.current = now
      render(now)
    }
    const clearFieldError = (name: string): void =>
      setErrors((shown) => (shown[name] === undefined ? shown : { ...shown, [name]: undefined }))
    const clearErrors = (): void => setErrors(noErrors)
    return {
      getValues: () => latest.current,
      setFieldValue: (name, change) => {
        const now = latest.current[name]
        const value = typeof change === 'function' ? (change as (now: unknown) => typeof now)(now) : change
        clearFieldError(name)
        if (!Object.is(value, now)) put({ ...latest.current, [name]: value })
      },
      setValues: (change) => {
        const now = latest.current
        clearErrors()
        put({ ...now, ...(typeof change === 'function' ? change(now) : change) })
      },
      setErrors,
      clearErrors,
      clearFieldError,
    }
  }, [])
  const bind = (name: keyof V & string) => ({
    onChange: (changed: unknown) => setters.setFieldValue(name, given(changed) as V[typeof name]),
    error: errors[name],
  })
  return {
    ...setters,
    values,
    errors,
    getInputProps: (name) => ({ ...bind(name), value: values[name] }),
    getCheckboxProps: (name) => ({ ...bind(name), checked: Boolean(values[name]) }),
  }
}

function given(changed: unknown): unknown {
  const isEvent = typeof changed === 'object' && changed !== null && 'currentTarget' in changed
  if (!isEvent) return changed
  const input = changed.currentTarget as HTMLInputElement
  return input.type === 'checkbox' ? input.checked : input.value
}
