// The payment status of a sale, changed in place by users who may.

import { PaymentBadge, paymentLabel, StateMenu } from '../kit/state-badge.tsx'
import { settableOf } from '../kit/status.ts'
import { messages } from '../messages.ts'

type Props = { readonly num: string; readonly code: number; readonly change: ((to: number) => unknown) | undefined }

export function PaymentChanger({ num, code, change }: Props) {
  if (change === undefined) return <PaymentBadge code={code} />
  return (
    <StateMenu
      label={messages.sales.changePayment(num, paymentLabel(code))}
      badge={<PaymentBadge code={code} />}
      choices={settableOf('payment')
        .filter((payment) => payment !== code)
        .map((payment) => ({ label: paymentLabel(payment), run: () => void change(payment) }))}
    />
  )
}
