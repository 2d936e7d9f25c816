// Texts of sign-in and sign-up.

export const access = {
  signIn: 'Anmelden',
  signInTitle: 'Bei Kontor anmelden',
  signUp: 'Firma anlegen',
  signUpTitle: 'Firma anlegen',
  noAccount: 'Noch kein Konto?',
  hasAccount: 'Schon ein Konto?',
  email: 'E-Mail',
  password: 'Passwort',
  passwordHint: 'Mindestens 10 Zeichen',
  name: 'Ihr Name',
  company: 'Firma',
  timezone: 'Zeitzone',
  language: 'Sprache',
  invitationTitle: (company: string) => `${company} beitreten`,
  invitationFor: (email: string, role: string) => `Sie wurden mit ${email} eingeladen. Ihre Rolle: ${role}.`,
  invitationPassword: (company: string) =>
    `Es ist Ihr Passwort für ${company}. Wenn Sie Kontor schon nutzen, behalten Ihre anderen Firmen ihres.`,
  join: 'Beitreten',
  confirmAddress: {
    title: 'E-Mail-Adresse bestätigen',
    text: 'Ihre Firma wird mit Ihren Angaben angelegt, und Sie werden angemeldet.',
    sent: (email: string) =>
      `Wir haben eine E-Mail an ${email} gesendet. Öffnen Sie innerhalb von 24 Stunden den Link darin, um Ihre Firma anzulegen. Wenn keine E-Mail ankommt, sehen Sie im Spam-Ordner nach.`,
  },
  backToSignIn: 'Zurück zur Anmeldung',
  forgot: {
    link: 'Passwort vergessen?',
    title: 'Passwort vergessen?',
    text: 'Wir senden Ihnen einen Link, mit dem Sie ein neues festlegen.',
    send: 'Link senden',
    sent: (email: string) =>
      `Wenn ${email} zu einem Konto gehört, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert 30 Minuten. Wenn keine E-Mail ankommt, sehen Sie im Spam-Ordner nach.`,
  },
  reset: {
    title: 'Neues Passwort festlegen',
    password: 'Neues Passwort',
    save: 'Passwort festlegen',
    done: 'Ihr Passwort ist festgelegt, und alle Browser wurden abgemeldet. Melden Sie sich damit an.',
  },
  again: {
    title: 'Zum Fortfahren anmelden',
    text: (name: string) => `Ihre Sitzung ist abgelaufen, ${name}. Ihre Eingaben bleiben erhalten.`,
    other:
      'Wenn Sie sich als jemand anderes anmelden, werden Ihre ungespeicherten Änderungen auf dieser Seite verworfen.',
    leave: 'Ohne Speichern verlassen',
  },
  singleSignOn: {
    title: 'Single Sign-on',
    text: 'Sie melden sich beim Identitätsanbieter Ihrer Firma an und kommen dann hierher zurück.',
    go: 'Weiter',
    completing: 'Die Anmeldung wird abgeschlossen.',
    notBegun: 'Diese Anmeldung wurde nicht in diesem Tab begonnen oder ist schon abgeschlossen.',
    again: 'Erneut anmelden',
    other: 'Mit Passwort anmelden',
    signIn: (provider: string) => `Mit ${provider} anmelden`,
  },
  secondStep: {
    title: 'Zweiter Faktor',
    text: 'Der Code Ihrer Authenticator-App oder ein Wiederherstellungscode.',
    code: 'Code',
    back: 'Zurück',
    lost: 'Wenn Sie beides verloren haben, kann ein Inhaber Ihrer Firma den zweiten Faktor entfernen.',
  },
  required: {
    title: 'Zweiten Faktor einrichten',
    text: 'Ihre Firma verlangt einen zweiten Faktor. Richten Sie einen ein, um fortzufahren.',
  },
  passkey: {
    signIn: 'Mit Passkey anmelden',
    use: 'Passkey verwenden',
    failed: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal.',
  },
  confirm: {
    title: 'Bestätigen Sie, dass Sie es sind',
    text: 'Dafür ist eine Anmeldung in den letzten 15 Minuten nötig.',
    label: 'Bestätigen',
  },
  noSession: {
    title: 'Ihr Browser hat die Anmeldung nicht gespeichert',
    made: 'Ihre Firma wurde angelegt. Melden Sie sich mit Ihrer E-Mail-Adresse an, sobald das behoben ist.',
    cookies: 'Cookies sind für diese Website blockiert. Erlauben Sie sie und melden Sie sich erneut an.',
    plain: (origin: string) =>
      `Diese Seite wurde unverschlüsselt über HTTP geöffnet: ${origin}. Browser speichern eine Anmeldung nur über HTTPS oder auf localhost.`,
    https: (address: string) => `Öffnen Sie stattdessen ${address}, falls dieser Server ein Zertifikat hat.`,
    localhost: (address: string) => `Öffnen Sie auf dem Computer, auf dem Kontor läuft, ${address}.`,
    operator: 'Wenn Sie diesen Server betreiben: Schalten Sie einen Proxy mit TLS davor und starten Sie Kontor mit',
    lan: 'In einem vertrauenswürdigen Netz ohne TLS: Starten Sie Kontor mit',
    unencrypted: 'und öffnen Sie genau diese Adresse. Passwörter werden dann unverschlüsselt übertragen.',
  },
  roles: { owner: 'Inhaber', manager: 'Verwaltung', worker: 'Mitarbeiter' },
} as const
