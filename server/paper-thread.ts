// The thread in which papers are composed and written as PDF (platform/requests/paper-thread.ts).

import { printPaper } from './overview/paper/compose.ts'
import { runBehindOthers } from './platform/process/thread-priority.ts'
import { answerPrints } from './platform/requests/paper-thread.ts'

runBehindOthers()
answerPrints(printPaper)
