// The mark, the name of the company and that of the product, at the top of the navigation.

import icon from '../icon.svg'
import { messages } from '../messages.ts'
import { useSession } from '../session.tsx'
import classes from './navigation.module.css'

export function Brand({ isCollapsed }: { isCollapsed: boolean }) {
  const { company } = useSession()
  return (
    <div className={classes['brand']} title={company.name} data-collapsed={isCollapsed || undefined}>
      <img src={icon} width={28} height={28} alt="" />
      {!isCollapsed && (
        <div>
          <div className={classes['company']}>{company.name}</div>
          <div className={classes['product']}>{messages.frame.product}</div>
        </div>
      )}
    </div>
  )
}
