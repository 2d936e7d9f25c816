// The thread in which large writes are planned (platform/requests/planning-thread.ts).

import { methodsOfRecords } from './methods.ts'
import { answerPlans } from './platform/requests/planning-thread.ts'

answerPlans(methodsOfRecords)
