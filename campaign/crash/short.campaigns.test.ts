// The crash tests of the campaign in their short form. Tests that this machine cannot run are skipped with the reason.

import { testShortForms } from '../short-form.ts'
import { connection } from './connection.ts'
import { crashPostgres } from './crash-postgres.ts'
import { crashService } from './crash-service.ts'
import { diskFull } from './disk-full.ts'
import { failover } from './failover.ts'
import { powerCut } from './power-cut.ts'
import { restore } from './restore.ts'

testShortForms([crashService, crashPostgres, powerCut, diskFull, connection, failover, restore])
