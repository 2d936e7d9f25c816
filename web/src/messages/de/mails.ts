// Texte über E-Mails.

import { count } from '../../format.ts'

export const mails = {
  intro: 'E-Mails, die Kontor in den letzten 30 Tagen für Ihre Firma gesendet hat.',
  off: 'Dieser Server sendet keine E-Mails. Einladungen sind Links, die Sie selbst senden. Der Betreiber des Servers kann E-Mails einrichten.',
  empty: 'Noch keine E-Mails.',
  column: { recipient: 'Empfänger', status: 'Status', response: 'Antwort des Mailservers', at: 'Zeit' },
  kinds: {
    invitation: 'Einladung',
    password_reset: 'Link für neues Passwort',
    password_changed: 'Passwort geändert',
    sign_up: 'Registrierung',
    webhook_disabled: 'Webhook ausgeschaltet',
    shortages: 'Fehlende Artikel',
    quote: 'Angebot',
    document: 'Dokument',
  },
  statuses: { queued: 'Wartet', sent: 'Gesendet', failed: 'Fehlgeschlagen', canceled: 'Abgebrochen' },
  next: (time: string) => `Nächster Versuch ${time}`,
  attempts: (n: number) => `${count(n)} Versuche`,
} as const
