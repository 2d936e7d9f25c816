// Which addresses the server may send requests to on behalf of a company: public ones, and the networks that the operator allows. The URL is checked when it is
// entered, and every address that its name resolves to when a connection is opened, so that a name cannot change its address in between.

import { BlockList, isIP } from 'node:net'
import { networkFrom } from '../process/network.ts'

/** Networks that are not reachable from the internet, or not a single machine in it. */
const special4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, and metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]
/** Only this network is public, with these exceptions. Mapped, compatible, NAT64, link-local, unique local and multicast addresses are outside of it. */
const public6 = '2000::/3'
const special6 = [
  '2001::/23', // protocol assignments, Teredo and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: contains an IPv4 address
  '3fff::/20', // documentation
]

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const network = networkFrom(text)
    if (network === undefined) throw new Error(`${text} is not a network`)
    list.addSubnet(network.address, network.bits, network.family)
  }
  return list
}

const isSpecial4 = listOf(special4)
const isPublic6 = listOf([public6])
const isSpecial6 = listOf(special6)

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !isSpecial4.check(address, 'ipv4')
  return (
    family === 6 && !address.includes('%') && isPublic6.check(address, 'ipv6') && !isSpecial6.check(address, 'ipv6')
  )
}

export type UrlProblem = 'malformed' | 'port' | 'address'

const usualPorts = ['', '8443']

export class AddressPolicy {
  readonly #allowed: BlockList
  readonly #allowsNetworks: boolean
  readonly #allowsHttp: boolean

  /** `networks` is the value of WEBHOOK_ALLOW_NETWORKS. */
  constructor(networks = '', allowsHttp = false) {
    const texts = networks.split(',').map((text) => text.trim())
    this.#allowed = listOf(texts.filter((text) => text !== ''))
    this.#allowsNetworks = texts.some((text) => text !== '')
    this.#allowsHttp = allowsHttp
  }

  get allowsHttp(): boolean {
    return this.#allowsHttp
  }

  /** What is wrong with a URL, as far as it can be said without resolving its name. */
  problemOf(text: string): UrlProblem | undefined {
    const url = URL.parse(text)
    if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return 'malformed'
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#allowsHttp)) return 'malformed'
    const literal = literalOf(url)
    if (literal !== undefined) return this.allows(url, literal) ? undefined : isUsual(url) ? 'address' : 'port'
    // The name may be one in an allowed network.
    return isUsual(url) || this.#allowsNetworks ? undefined : 'port'
  }

  /** Whether a connection for this URL may be opened to this address. */
  allows(url: URL, address: string): boolean {
    const family = isIP(address)
    if (family === 0) return false
    if (this.#allowed.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true
    return isUsual(url) && isPublicAddress(address)
  }
}

const isUsual = (url: URL): boolean => url.protocol === 'https:' && usualPorts.includes(url.port)

/** The address, if the URL has one instead of a name. The parser has converted all notations of IPv4: decimal, octal, hexadecimal, shortened. */
export function literalOf({ hostname }: URL): string | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(address) === 0 ? undefined : address
}
