// The thread in which large writes are planned (platform/requests/planning-thread.ts).

import { plannedMethods } from './methods.ts'
import { runBehindOthers } from './platform/process/thread-priority.ts'
import { answerPlans } from './platform/requests/planning-thread.ts'

runBehindOthers()
answerPlans(plannedMethods)
