// The files of the screens, loaded in this browser.

import { notifications } from '@mantine/notifications'
import { messages } from '../messages.ts'
import { loadScreen } from './load-screen.ts'

const retryMs = 2_000
const offlineId = 'offline'
const reloadedKey = 'kontor-reloaded-for'

let addressBeingOpened = (): string => window.location.href
/** Set once, when the router exists. */
export function whenReloading(address: () => string): void {
  addressBeingOpened = address
}

function reload(): boolean {
  const address = addressBeingOpened()
  if (sessionStorage.getItem(reloadedKey) === address) return false
  sessionStorage.setItem(reloadedKey, address)
  if (address === window.location.href) window.location.reload()
  else window.location.assign(address)
  return true
}

let isOffline = false
function setOffline(to: boolean): void {
  if (to && !isOffline)
    notifications.show({ id: offlineId, message: messages.frame.offline, color: 'yellow', autoClose: false })
  if (!to) {
    if (isOffline) notifications.hide(offlineId)
    sessionStorage.removeItem(reloadedKey)
  }
  isOffline = to
}

const isServed = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, retryMs))

/** For `lazy` of a route. */
export const screen =
  <Screen>(load: () => Promise<Screen>): (() => Promise<Screen>) =>
  () =>
    loadScreen(load, { isServed, reload, setOffline, wait })
