// Starts the screens once the texts of the user's language are there, because screens read their texts when they are loaded.

import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import 'mantine-datatable/styles.css'
import './typeface.css'
import './global.css'
import './phone.css'
import { loadMessages } from './messages.ts'

// Without `await`: the catalog shares modules with this one, and would wait for the end of it.
void loadMessages().then((language) => {
  document.documentElement.lang = language
  return import('./start.tsx')
})
