// The companies of the person: those in which this browser is signed in, to switch between them, and the ways to another one. Opened by the name of the company.

import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconBuilding, IconBuildingPlus, IconCheck, IconLogin2, IconSelector } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { messages } from '../messages.ts'
import { useMethod } from '../server/query.ts'
import { useSession } from '../session.tsx'
import { Brand } from './brand.tsx'
import classes from './navigation.module.css'

const texts = messages.frame.companies

export function CompanyMenu({ isCollapsed, onGo }: { isCollapsed: boolean; onGo?: (() => void) | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const { company } = useSession()
  return (
    <Menu opened={isOpen} onChange={setOpen} width={260} position="bottom-start">
      <Menu.Target>
        <UnstyledButton
          className={classes['companyButton']}
          {...(isCollapsed ? { 'aria-label': texts.of(company.name) } : {})}
        >
          <Brand isCollapsed={isCollapsed} />
          {!isCollapsed && <VisuallyHidden>{texts.title}</VisuallyHidden>}
          {!isCollapsed && <IconSelector size={16} stroke={1.6} aria-hidden />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>{isOpen && <Companies onGo={onGo} />}</Menu.Dropdown>
    </Menu>
  )
}

function Companies({ onGo }: { onGo: (() => void) | undefined }) {
  const { company } = useSession()
  const found = useMethod('session/get_companies', {}, { staleMs: 0 })
  const options = useMethod('session/get_options', {}, { staleMs: Number.POSITIVE_INFINITY })
  const companies = found.data?.companies ?? [
    { id: company.id, name: company.name, is_test: company.test_of !== null, is_current: true },
  ]
  const go = onGo === undefined ? {} : { onClick: onGo }
  return (
    <>
      <Menu.Label>{texts.title}</Menu.Label>
      {companies.map(({ id, name, is_test: isTest, is_current: isCurrent }) =>
        isCurrent ? (
          <Menu.Item
            key={id}
            leftSection={<IconCheck size={16} />}
            aria-current="true"
            className={classes['companyItem']}
          >
            {isTest ? messages.accounts.testCompany.inMenu(name) : name}
          </Menu.Item>
        ) : (
          <Menu.Item
            key={id}
            component={Link}
            to="/switch-company"
            state={{ companyId: id }}
            leftSection={<IconBuilding size={16} />}
            className={classes['companyItem']}
            {...go}
          >
            {isTest ? messages.accounts.testCompany.inMenu(name) : name}
          </Menu.Item>
        ),
      )}
      <Menu.Divider />
      <Menu.Item component={Link} to="/sign-in" leftSection={<IconLogin2 size={16} />} {...go}>
        {texts.another}
      </Menu.Item>
      {options.data?.is_sign_up_open === true && (
        <Menu.Item component={Link} to="/sign-up" leftSection={<IconBuildingPlus size={16} />} {...go}>
          {texts.create}
        </Menu.Item>
      )}
    </>
  )
}
