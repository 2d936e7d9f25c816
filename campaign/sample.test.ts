// What the gate runs of the campaign: a kill of the service, a kill of PostgreSQL, a few histories of concurrent requests and some fuzzed requests,
// and closed connections.

import { crashPostgres } from './crash/crash-postgres.ts'
import { crashService } from './crash/crash-service.ts'
import { disconnect } from './disconnect/disconnect.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { races } from './races/races.ts'
import { testSample } from './short-form.ts'

testSample(crashService, 1)
testSample(crashPostgres, 1)
testSample(races, 2)
testSample(fuzz, 600)
testSample(disconnect, 1)
