// The kinds of values that variables of the environment have. Each says in `values` what a value must be; messages and documentation contain it.

import { isIP } from 'node:net'
import { z } from 'zod'
import { networkFrom } from './network.ts'

export const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((number) => number >= min && number <= max)
    .meta({ values: `a whole number from ${min} to ${max}` })

export const port = count(0, 65_535)

export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values).meta({ values: `${values.slice(0, -1).join(', ')} or ${values.at(-1)}` })

export const host = z
  .string()
  .regex(/^[\w.:%-]+$/)
  .meta({ values: 'an address or a name of this machine, without a port' })

export const origin = z
  .string()
  .transform((text) => URL.parse(text))
  .refine((url) => url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
  .transform((url) => url?.origin ?? '')
  .meta({ values: 'an address without a path, such as https://kontor.example' })

export const endpoint = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))
  .meta({ values: 'an address such as http://127.0.0.1:4318' })

export const proxies = z
  .string()
  .refine((text) => text.split(',').every((part) => isProxy(part.trim())))
  .meta({
    values: 'addresses and networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas',
  })

export const networks = z
  .string()
  .refine((text) => text.split(',').every((part) => part.trim() === '' || networkFrom(part.trim()) !== undefined))
  .meta({ values: 'addresses and networks such as 10.0.0.0/8, separated by commas' })

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', mask, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  if (mask === undefined || (family === 4 && isIP(mask) === 4)) return true
  return /^\d{1,3}$/.test(mask) && Number(mask) >= 1 && Number(mask) <= (family === 4 ? 32 : 128)
}

export const databaseExample = 'postgres://postgres@127.0.0.1:5432/kontor'
const socketExample = 'postgresql:///kontor?host=/var/run/postgresql'

/** libpq accepts a user without a host before the path, when the host is a parameter; the standard of URLs does not. */
const withHost = (text: string): string => text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/, '$1localhost')

function namesDatabase(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1
}

export const databaseUrl = z
  .string()
  .transform(withHost)
  .refine(namesDatabase)
  .meta({
    values: `the address of a PostgreSQL database, such as ${databaseExample} or, by a unix socket, ${socketExample}`,
  })

/** Without the password, which may also be among the parameters. */
export function shownDatabaseUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) return '(hidden)'
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':***'}@`
  return `${url.protocol}//${user}${url.host}${url.pathname}${url.search === '' ? '' : '?***'}`
}

export const secretsKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/)
  .meta({ values: '32 bytes as base64, such as the output of: openssl rand -base64 32' })

export const smtpUrl = z
  .string()
  .refine((text) => {
    const url = URL.parse(text)
    return (
      url !== null &&
      /^smtps?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      /^\/?$/.test(url.pathname) &&
      url.search === '' &&
      url.hash === ''
    )
  })
  .meta({ values: 'the address of an SMTP server, such as smtp://user:password@mail.example:587' })

/** Without the password. */
export function shownSmtpUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null) return '(hidden)'
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':***'}@`
  return `${url.protocol}//${user}${url.host}`
}

const mailboxPattern = /^(?:([^<>"\r\n]*?)\s*<([^\s<>@,;]+@[^\s<>@,;]+)>|([^\s<>@,;]+@[^\s<>@,;]+))$/

export const mailbox = z
  .string()
  .refine((text) => mailboxPattern.test(text.trim()))
  .meta({ values: 'an email address, with or without a name, such as Kontor <kontor@kontor.example>' })

/** Name and address of a valid value. */
export function mailboxOf(text: string): { readonly name: string; readonly address: string } {
  const [, name = '', address, bare = ''] = mailboxPattern.exec(text.trim()) ?? []
  return { name: name.trim(), address: address ?? bare }
}
