// Starts the screens once the texts of the user's language are there, because screens read their texts when they are loaded.

import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import 'mantine-datatable/styles.css'
import './typeface.css'
import './global.css'
import { language } from './language.ts'
import { loadMessages } from './messages.ts'

document.documentElement.lang = language
// Without `await`: the catalog shares modules with this one, and would wait for the end of it.
void loadMessages().then(() => import('./start.tsx'))
