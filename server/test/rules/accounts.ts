// The rules of accounts: how a forgotten password is set anew, how the address of a sign-up is verified, which sessions there are, and what is recorded of the access to a company.

import type { Rule } from './rule.ts'
import { under } from './under.ts'

export const accountRules: readonly Rule[] = [
  ...under('accounts.options', {
    mails: '`session/get_options` answers without a session whether sign-up is open and whether the server sends mails',
  }),
  ...under('accounts.reset', {
    link: '`session/request_reset` sends a mail with a link that begins with PUBLIC_ORIGIN, in the language of the input',
    once: '`session/reset_password` sets the password once; all sessions of the user and all other links for it end, and a mail says so',
    alike:
      'For an address without an account `session/request_reset` answers the same as for one with an account, sends nothing, and stores no address',
    expires: 'The link works for 30 minutes after the request; a password that is refused does not use it up',
    ended: 'A user who changes the password, or is removed, ends the links for a new one',
    limits:
      'To one address three mails are sent in 15 minutes, and ten in a day; further requests are answered with 429',
    secret: 'The token of the link is in no table, neither before nor after it was used',
    deleted: 'What was requested for an address without an account is deleted after a day',
    off: 'Without an SMTP server `session/request_reset` is refused: `This server sends no mails`',
  }),
  ...under('accounts.sessions', {
    longest: 'A session ends 90 days after the sign-in, however much it is used',
    most: 'A user has at most 20 sessions; a sign-in beyond that ends the one that was used longest ago',
    list: '`sessions/get_list` lists the own sessions with sign-in, last use, address, browser and operating system, this one first',
    end: '`sessions/end` ends one of the own sessions: `Session not found` for any other',
    'end-others': '`sessions/end_others` ends all own sessions except this one',
  }),
  ...under('accounts.security', {
    recorded:
      'Sign-ins, failed sign-ins of known users, sign-outs, ended sessions, changed passwords, roles, users, invitations and keys are listed by `security_events/get_list` with time, user, address and browser',
    system: 'What a command of the operator does has no user and no address',
    filters: 'The list is filtered by kind, user, day and text, and comes in pages, newest first',
    owners: 'Only owners read it, and only what concerns their company',
    bounded: 'At most 100 failed sign-ins of a company in an hour are stored; events are deleted after 365 days',
    unknown: 'A failed sign-in with an unknown address is recorded nowhere',
  }),
  ...under('accounts.sign-up', {
    link: 'With an SMTP server `session/sign_up` sends a mail with a link; `session/confirm_sign_up` creates the company with the data of the sign-up, signs its owner in, and works once',
    alike:
      'For an address with an account `session/sign_up` answers the same as for any other; its mail says so, and its link creates another company',
    nothing: 'Before the address is confirmed there is no company, no user, and no address that is taken',
    several: 'Several sign-ups with one address can be confirmed; each creates a company',
    words: 'The mail contains no text of the sign-up, such as the name of the company',
    expires: 'A sign-up that is not confirmed within 24 hours is deleted with its mail and its link',
    limits:
      'To one address three mails are sent in 15 minutes, and ten in a day; further sign-ups are answered with 429',
  }),
  ...under('accounts.companies', {
    join: 'An address with a user in another company is invited, and signs up, like any other; it gets a user with a password of its own, and the other company and its sessions are not affected',
    'sign-in':
      '`session/sign_in` begins a session in each company of the address whose password it is, and opens the one that was used last; with `company_id` it signs in to that company only',
    unfinished:
      'A company in which the browser is not signed in yet is opened first, so that signing in again leads to each',
    list: '`session/get_companies` lists the companies in which this browser is signed in as the same person, and no other company of the address',
    switch:
      '`session/switch_company` uses another session of the browser and ends none; a company in which it is not signed in is refused: `This browser is not signed in to this company`',
    person: 'Sessions of another address are not listed, cannot be switched to, and are not kept after a sign-in',
    'sign-out': '`session/sign_out` ends the sessions of the browser in all companies',
    apart:
      'A new password, removed second factors, ended sessions, and the removal of a user have no effect on the users of the same address in other companies',
    'second-factor':
      'A user with a second factor gets no session in that company from a sign-in to another one, nor by switching; a company that requires one is entered by switching only to set it up',
    'single-sign-on':
      'A sign-in at the identity provider of a company begins a session in that company only, whatever the provider says; other sessions of the browser are kept if they are of the same address',
    fresh: 'A sign-in that is fresh in one company is not fresh in another one after switching to it',
    deleted:
      'A company that an owner has had deleted ends the sign-ins and sessions of its own users only; their addresses go on in other companies',
    guesses:
      'A browser that is known to the user of one company has no guesses of its own for the users of the same address in others',
    salts:
      'All passwords of an address have the same salt, so that a sign-in computes one hash however many companies there are',
    most: 'An address belongs to at most 20 companies: `This email is used in too many companies. Must be at most 20`',
    reset:
      'With an SMTP server a forgotten password is answered by one mail for each company of the address; each sets the password of that company only',
    before: 'Sessions and sign-ins from before an address could belong to several companies stay valid',
    command: 'Commands about a user need `--company` if the email belongs to users of several companies',
  }),
]
