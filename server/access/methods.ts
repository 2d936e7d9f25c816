// Methods of the access section for the screens, including the session methods.

import type { Method } from '../kernel/method.ts'
import type { AnySessionMethod } from '../platform/requests/request.ts'
import { revokeKey } from './administration.ts'
import { deleteOwnCompany } from './company/delete.ts'
import { editCompanyDetails } from './company/edit_details.ts'
import { getCompany } from './company/get.ts'
import { getCompanyDetails } from './company/get_details.ts'
import { keepCompany } from './company/keep.ts'
import { prepareArchive } from './company/prepare_archive.ts'
import { connectionMethods } from './connections.ts'
import { listEvents } from './events/get_list.ts'
import { historyMethods } from './history.ts'
import { deleteIdentityProvider } from './identity_provider/delete.ts'
import { getIdentityProvider } from './identity_provider/get.ts'
import { setIdentityProvider } from './identity_provider/set.ts'
import { acceptInvitation } from './invitations/accept.ts'
import { deleteInvitation } from './invitations/delete.ts'
import { getInvitation } from './invitations/get.ts'
import { listMails } from './mails/get_list.ts'
import { addPasskey } from './passkeys/add.ts'
import { beginPasskey } from './passkeys/begin.ts'
import { deletePasskey } from './passkeys/delete.ts'
import { editPasskey } from './passkeys/edit.ts'
import { replaceConnection } from './replace-connection.ts'
import { requestMethods } from './requests.ts'
import { addAuthenticator } from './second_factors/add_authenticator.ts'
import { confirmAuthenticator } from './second_factors/confirm_authenticator.ts'
import { removeAuthenticator } from './second_factors/delete_authenticator.ts'
import { getSecondFactors } from './second_factors/get.ts'
import { renewRecoveryCodes } from './second_factors/renew_recovery_codes.ts'
import { listSecurityEvents } from './security_events/get_list.ts'
import { beginSignOn } from './session/begin_single_sign_on.ts'
import { changePassword } from './session/change_password.ts'
import { confirmSession } from './session/confirm.ts'
import { confirmSignUp } from './session/confirm_sign_up.ts'
import { editMails } from './session/edit_mails.ts'
import { getSession } from './session/get.ts'
import { getCompanies } from './session/get_companies.ts'
import { getMails } from './session/get_mails.ts'
import { getOptions } from './session/get_options.ts'
import { openTestCompany } from './session/open_test_company.ts'
import { passkeyChallenge } from './session/passkey_challenge.ts'
import { passkeyConfirm } from './session/passkey_confirm.ts'
import { passkeySignIn } from './session/passkey_sign_in.ts'
import { requestReset } from './session/request_reset.ts'
import { resetPassword } from './session/reset_password.ts'
import { secondFactor } from './session/second_factor.ts'
import { signIn } from './session/sign_in.ts'
import { signOut } from './session/sign_out.ts'
import { signUp } from './session/sign_up.ts'
import { singleSignOn } from './session/single_sign_on.ts'
import { switchCompany } from './session/switch_company.ts'
import { endOneSession } from './sessions/end.ts'
import { endOthers } from './sessions/end_others.ts'
import { listSessions } from './sessions/get_list.ts'
import { editSettings } from './settings/edit.ts'
import { getSettings } from './settings/get.ts'
import { addTaxRate } from './tax_rates/add.ts'
import { deleteTaxRate } from './tax_rates/delete.ts'
import { editTaxRate } from './tax_rates/edit.ts'
import { listTaxRates } from './tax_rates/get_list.ts'
import { getTestCompany } from './test_company/get.ts'
import { makeTestCompany } from './test_company/make.ts'
import { deleteUser } from './users/delete.ts'
import { editUser } from './users/edit.ts'
import { endSessionsOfUser } from './users/end_sessions.ts'
import { listUsers } from './users/get_list.ts'
import { invite } from './users/invite.ts'
import { resetSecondFactors } from './users/reset_second_factors.ts'
import { addWebhook } from './webhooks/add.ts'
import { deleteWebhook } from './webhooks/delete.ts'
import { editWebhook } from './webhooks/edit.ts'
import { listDeliveries } from './webhooks/get_deliveries.ts'
import { listWebhooks } from './webhooks/get_list.ts'
import { replayWebhook } from './webhooks/replay.ts'
import { rollSecret } from './webhooks/roll.ts'
import { testWebhook } from './webhooks/test.ts'

export const accessMethods: readonly Method[] = [
  getSession,
  getSettings,
  editSettings,
  listUsers,
  invite,
  editUser,
  deleteUser,
  resetSecondFactors,
  getSecondFactors,
  renewRecoveryCodes,
  removeAuthenticator,
  editPasskey,
  deletePasskey,
  endSessionsOfUser,
  deleteInvitation,
  listMails,
  getIdentityProvider,
  setIdentityProvider,
  deleteIdentityProvider,
  listSecurityEvents,
  ...connectionMethods,
  replaceConnection,
  revokeKey,
  ...requestMethods,
  ...historyMethods,
  listEvents,
  getCompany,
  prepareArchive,
  deleteOwnCompany,
  keepCompany,
  getTestCompany,
  makeTestCompany,
  getCompanyDetails,
  editCompanyDetails,
  listTaxRates,
  addTaxRate,
  editTaxRate,
  deleteTaxRate,
  listWebhooks,
  addWebhook,
  editWebhook,
  deleteWebhook,
  rollSecret,
  testWebhook,
  replayWebhook,
  listDeliveries,
]

export const accessSessionMethods: readonly AnySessionMethod[] = [
  getOptions,
  signUp,
  confirmSignUp,
  signIn,
  signOut,
  getCompanies,
  switchCompany,
  openTestCompany,
  changePassword,
  secondFactor,
  confirmSession,
  addAuthenticator,
  confirmAuthenticator,
  passkeyChallenge,
  passkeySignIn,
  passkeyConfirm,
  beginSignOn,
  singleSignOn,
  beginPasskey,
  addPasskey,
  requestReset,
  resetPassword,
  getMails,
  editMails,
  listSessions,
  endOneSession,
  endOthers,
  getInvitation,
  acceptInvitation,
]
