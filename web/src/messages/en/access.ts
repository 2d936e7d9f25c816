// Texts of sign-in and sign-up.

export const access = {
  signIn: 'Sign in',
  signInTitle: 'Sign in to Kontor',
  signUp: 'Create company',
  signUpTitle: 'Create your company',
  noAccount: 'No account yet?',
  hasAccount: 'Already have an account?',
  email: 'E-mail',
  password: 'Password',
  passwordHint: 'At least 10 characters',
  name: 'Your name',
  company: 'Company',
  timezone: 'Time zone',
  language: 'Language',
  invitationTitle: (company: string) => `Join ${company}`,
  invitationFor: (email: string, role: string) => `You were invited with ${email}. Your role: ${role}.`,
  invitationPassword: (company: string) =>
    `It is your password for ${company}. If you already use Kontor, your other companies keep theirs.`,
  join: 'Join',
  confirmAddress: {
    title: 'Confirm your e-mail address',
    text: 'Your company is created with the data that you entered, and you are signed in.',
    sent: (email: string) =>
      `We have sent a mail to ${email}. Open the link in it within 24 hours to create your company. If no mail arrives, look into your spam folder.`,
  },
  backToSignIn: 'Back to sign-in',
  forgot: {
    link: 'Forgot password?',
    title: 'Forgot your password?',
    text: 'We send you a link to set a new one.',
    send: 'Send link',
    sent: (email: string) =>
      `If ${email} belongs to an account, a mail with a link is on its way. The link works for 30 minutes. If no mail arrives, look into your spam folder.`,
  },
  reset: {
    title: 'Set a new password',
    password: 'New password',
    save: 'Set password',
    done: 'Your password is set, and all browsers were signed out. Sign in with it.',
  },
  again: {
    title: 'Sign in to continue',
    text: (name: string) => `Your session has expired, ${name}. Nothing you typed is lost.`,
    other: 'If you sign in as someone else, your unsaved changes on this page are discarded.',
    leave: 'Leave without saving',
  },
  singleSignOn: {
    title: 'Single sign-on',
    text: 'You sign in at the identity provider of your company and then come back here.',
    go: 'Continue',
    completing: 'The sign-in is being completed.',
    notBegun: 'This sign-in was not begun in this tab, or has been completed already.',
    again: 'Sign in again',
    other: 'Sign in with a password',
    signIn: (provider: string) => `Sign in with ${provider}`,
  },
  secondStep: {
    title: 'Second factor',
    text: 'The code of your authenticator app, or a recovery code.',
    code: 'Code',
    back: 'Back',
    lost: 'If you have lost both, ask an owner of your company to remove your second factor.',
  },
  required: {
    title: 'Set up a second factor',
    text: 'Your company requires a second factor. Set one up to continue.',
  },
  passkey: {
    signIn: 'Sign in with a passkey',
    use: 'Use a passkey',
    failed: 'No passkey was used. Try again.',
  },
  confirm: {
    title: 'Confirm that it is you',
    text: 'This needs a sign-in from the last 15 minutes.',
    label: 'Confirm',
  },
  noSession: {
    title: 'Your browser did not save the sign-in',
    made: 'Your company was created. Sign in with your e-mail address once this is fixed.',
    cookies: 'Cookies are blocked for this site. Allow them, then sign in again.',
    plain: (origin: string) =>
      `This page was opened over plain HTTP, at ${origin}. Browsers save a sign-in only over HTTPS or on localhost.`,
    https: (address: string) => `If this server has a certificate, open ${address} instead.`,
    localhost: (address: string) => `On the computer that runs Kontor, open ${address}.`,
    operator: 'If you run this server, put a TLS proxy in front of it and start Kontor with',
    lan: 'On a trusted network without TLS, start Kontor with',
    unencrypted: 'and open exactly that address. Passwords are then sent unencrypted.',
  },
  roles: { owner: 'Owner', manager: 'Manager', worker: 'Worker' },
} as const
