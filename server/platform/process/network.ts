// Addresses of callers: grouped into networks for limits, and compared with the networks of a key.

import { BlockList, isIP, isIPv6 } from 'node:net'
import type { KeyScope } from '../../kernel/key-scope.ts'

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The network of an address. An IPv6 client usually has a whole /64 network. */
export function networkOf(address: string): string {
  const plain = withoutMapping(address)
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const middle = plain.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return [...left, ...middle, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

type Network = { readonly address: string; readonly bits: number; readonly family: 'ipv4' | 'ipv6' }

/** An address, or a network such as 10.0.0.0/8; `undefined` for any other text. */
export function networkFrom(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/')
  const width = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || more.length > 0 || address.includes('%')) return undefined
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width)) return undefined
  return { address, bits: Number(bits ?? width), family: width === 32 ? 'ipv4' : 'ipv6' }
}

export function isInNetworks({ networks }: KeyScope, address: string): boolean {
  if (networks === null) return true
  const allowed = new BlockList()
  for (const text of networks) {
    const network = networkFrom(text)
    if (network !== undefined) allowed.addSubnet(network.address, network.bits, network.family)
  }
  const plain = withoutMapping(address)
  return isIP(plain) !== 0 && allowed.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
