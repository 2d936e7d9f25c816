// The payment of a sale, changed in place by those who may.

import { PaymentBadge, paymentWord, StateMenu } from '../kit/state-badge.tsx'
import { words } from '../words.ts'

type Props = { readonly num: string; readonly code: number; readonly change: ((to: number) => unknown) | undefined }

export function PaymentChanger({ num, code, change }: Props) {
  if (change === undefined) return <PaymentBadge code={code} />
  return (
    <StateMenu
      label={words.sales.changePayment(num, paymentWord(code))}
      badge={<PaymentBadge code={code} />}
      choices={[0, 1, 2]
        .filter((payment) => payment !== code)
        .map((payment) => ({ label: paymentWord(payment), run: () => void change(payment) }))}
    />
  )
}
