// The campaign's races, feed, webhooks, mails, fuzz, disconnect, blocking, tenancy, overload, hostile, upgrade and fault injection tests in their short form.

import { blocking } from './blocking/blocking.ts'
import { disconnect } from './disconnect/disconnect.ts'
import { feed } from './feed/feed.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { hostile } from './hostile/hostile.ts'
import { mails } from './mails/mails.ts'
import { overload } from './overload/overload.ts'
import { rolling } from './overload/rolling.ts'
import { planted } from './planted/planted.ts'
import { races } from './races/races.ts'
import { testShortForms } from './short-form.ts'
import { tenancy } from './tenancy/tenancy.ts'
import { upgrade } from './upgrade/upgrade.ts'
import { webhooks } from './webhooks/webhooks.ts'

testShortForms([
  races,
  feed,
  webhooks,
  mails,
  fuzz,
  disconnect,
  blocking,
  tenancy,
  overload,
  hostile,
  rolling,
  upgrade,
  planted,
])
