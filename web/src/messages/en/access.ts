// Texts of sign-in and sign-up.

export const access = {
  signIn: 'Sign in',
  signInTitle: 'Sign in to Kontor',
  signUp: 'Create company',
  signUpTitle: 'Start with your company',
  noAccount: 'No account yet?',
  hasAccount: 'Already have an account?',
  email: 'E-mail',
  password: 'Password',
  passwordHint: 'At least 10 characters',
  name: 'Your name',
  company: 'Company',
  timezone: 'Time zone',
  invitationTitle: (company: string) => `Join ${company}`,
  invitationFor: (email: string, role: string) => `You were invited as ${role} with ${email}.`,
  join: 'Join',
  again: {
    title: 'Sign in to go on',
    text: (name: string) => `Your session has ended, ${name}. What you typed is still here.`,
    other: 'Someone else starts with a fresh page: what was typed here is dropped.',
    leave: 'Leave without saving',
  },
  noSession: {
    title: 'Your browser did not keep the sign-in',
    made: 'Your company was created. Sign in with your e-mail address once this is solved.',
    cookies: 'It blocks the cookies of this site. Allow them, then sign in again.',
    plain: (origin: string) =>
      `This page was opened over plain HTTP, at ${origin}. Browsers keep a sign-in only over HTTPS, or on localhost.`,
    https: (address: string) => `Open ${address} instead, if this server has a certificate.`,
    localhost: (address: string) => `On the computer that runs Kontor, open ${address}.`,
    operator: 'If you run this server: put a proxy with TLS in front of it and start Kontor with',
    lan: 'In a network you trust, without TLS: start Kontor with',
    unencrypted: 'and open that very address. Passwords then travel unencrypted.',
  },
  roles: { owner: 'Owner', manager: 'Manager', worker: 'Worker' },
} as const
