-- first_steps.facts
-- parameters: company_id
-- sent by: first_steps/edit
select c.shows_first_steps, c.details_seen
from companies c
where c.company_id = :company_id;

-- first_steps.get
-- parameters: company_id
-- sent by: first_steps/get
select json_build_object(
  'is_shown',
    c.shows_first_steps,
    'has_example_data',
    c.example_from_seq is not null,
    'steps',
    json_build_object(
      'company',
        c.details_seen or c.currency <> 'EUR',
        'items',
        exists (select from items i where i.company_id = :company_id and i.deleted_at is null),
        'stock',
        exists (select from audits a where a.company_id = :company_id and a.status = 3)
          or exists (select from purchases p where p.company_id = :company_id and p.status in (2, 3)),
        'sale',
        exists (select from sales d where d.company_id = :company_id and d.status <> 4),
        'shipment',
        exists (select from sales d where d.company_id = :company_id and d.status in (2, 3)),
        'colleague',
        exists (select from users u where u.company_id = :company_id and u.id > 1)
          or exists (select from invitations v where v.company_id = :company_id),
        'shop',
        exists (select from api_keys k where k.company_id = :company_id and k.revoked_at is null)
    )
) as steps
from companies c
where c.company_id = :company_id;

-- first_steps.update
-- parameters: company_id, shows_first_steps, details_seen
-- sent by: first_steps/edit
update companies
set shows_first_steps = :shows_first_steps, details_seen = :details_seen
where company_id = :company_id;
