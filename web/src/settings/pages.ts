// The pages of the settings, with the lowest role that may open each.

import {
  IconApi,
  IconBook2,
  IconBuilding,
  IconBuildingWarehouse,
  IconDatabaseExport,
  IconFileText,
  IconFlask,
  IconListDetails,
  IconLogin2,
  IconMail,
  IconPercentage,
  IconRuler2,
  IconShieldLock,
  IconSitemap,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { messages } from '../messages.ts'

const texts = messages.settings.places

export const settingsPages = [
  { to: '/settings', label: texts.company, icon: IconBuilding, least: 'worker' },
  { to: '/settings/details', label: texts.details, icon: IconFileText, least: 'manager' },
  { to: '/settings/users', label: texts.users, icon: IconUsers, least: 'owner' },
  { to: '/settings/mails', label: texts.mails, icon: IconMail, least: 'owner' },
  { to: '/settings/single-sign-on', label: texts.singleSignOn, icon: IconLogin2, least: 'owner' },
  { to: '/settings/security', label: texts.security, icon: IconShieldLock, least: 'owner' },
  { to: '/settings/data', label: texts.data, icon: IconDatabaseExport, least: 'owner' },
  { to: '/settings/units', label: texts.units, icon: IconRuler2, least: 'manager' },
  { to: '/settings/taxes', label: texts.taxes, icon: IconPercentage, least: 'owner' },
  { to: '/settings/categories', label: texts.categories, icon: IconSitemap, least: 'manager' },
  { to: '/settings/storages', label: texts.storages, icon: IconBuildingWarehouse, least: 'manager' },
  { to: '/settings/profile', label: texts.profile, icon: IconUser, least: 'worker' },
  // For those who connect other systems.
  { to: '/settings/integrations', label: texts.integrations, icon: IconApi, least: 'owner', isTechnical: true },
  { to: '/settings/webhooks', label: texts.webhooks, icon: IconWebhook, least: 'owner', isTechnical: true },
  { to: '/settings/test-company', label: texts.testCompany, icon: IconFlask, least: 'owner', isTechnical: true },
  { to: '/settings/requests', label: texts.requests, icon: IconListDetails, least: 'manager', isTechnical: true },
  { to: '/settings/reference', label: texts.reference, icon: IconBook2, least: 'manager', isTechnical: true },
] as const satisfies readonly SettingsPage[]

type SettingsPage = {
  readonly to: string
  readonly label: string
  readonly icon: typeof IconApi
  readonly least: 'worker' | 'manager' | 'owner'
  readonly isTechnical?: boolean
}
