// Words of signing in and up.

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
  roles: { owner: 'Owner', manager: 'Manager', worker: 'Worker' },
} as const
