-- transfers.browse.by_amount_asc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
select summary.total,
  summary.sums,
  summary.counts,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date":',
            concat('"', d.date, '"'),
            ',"date_received":',
            concat('"', d.date_received, '"'),
            ',"storage_from_id":',
            d.storage_from_id,
            ',"storage_from_name":',
            to_json(sf.name),
            ',"storage_to_id":',
            d.storage_to_id,
            ',"storage_to_name":',
            to_json(st.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"notes":',
            to_json(d.notes),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from transfers d
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or (
                      d.notes <> ''
                        and replace(
                          replace(
                            replace(
                              lower(
                                case
                                  when octet_length(d.notes) <= 2000 then d.notes
                                  else left(d.notes, 2000)
                                  end
                              ),
                                'ß',
                                'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                        and (
                          strpos(d.notes, ' not found: ') = 0
                            or :search !~ '[0-9.-]'
                            or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                            or replace(
                              replace(
                                replace(
                                  lower(
                                    '' || regexp_replace(
                                      d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                    )
                                  ),
                                    'ß',
                                    'ss'
                                ),
                                  'ς',
                                  'σ'
                              ),
                                'i̇',
                                'i'
                            ) like :search
                        )
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:storage_id::bigint is null or :storage_id in (d.storage_from_id, d.storage_to_id))
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.transfer_id
                    from transfer_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and true
            order by case when d.lines > 1
              and exists (select from items c where c.company_id = :company_id and c.unit_changed) then case
                when (
                  select range_agg(int8range(m.id, m.id, '[]'))
                  from (
                    select l.transfer_id as id
                    from transfer_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id
                    group by l.transfer_id
                    having min(i.unit_id) <> max(i.unit_id)
                  ) m
                ) @> d.id then null
                else coalesce(
                  d.amount,
                    (
                      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
                      from transfer_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and l.transfer_id = d.id
                    )
                )
                end
                else d.amount
                end nulls last,
              d.listed,
              d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join transfers d on d.id = page.key_0
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"cost":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 1 <> 0) or not bool_or(each_group.is_shown and (each_group.met & 1 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case when d.status <> 4 then 1 else 0 end as met, d.cost as term_0
          from transfers d
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or (
                    d.notes <> ''
                      and replace(
                        replace(
                          replace(
                            lower(
                              case
                                when octet_length(d.notes) <= 2000 then d.notes
                                else left(d.notes, 2000)
                                end
                            ),
                              'ß',
                              'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                      and (
                        strpos(d.notes, ' not found: ') = 0
                          or :search !~ '[0-9.-]'
                          or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                          or replace(
                            replace(
                              replace(
                                lower(
                                  '' || regexp_replace(
                                    d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                  )
                                ),
                                  'ß',
                                  'ss'
                              ),
                                'ς',
                                'σ'
                            ),
                              'i̇',
                              'i'
                          ) like :search
                      )
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:storage_id::bigint is null or :storage_id in (d.storage_from_id, d.storage_to_id))
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.transfer_id
                  from transfer_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
            and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- transfers.browse.by_amount_desc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
select summary.total,
  summary.sums,
  summary.counts,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date":',
            concat('"', d.date, '"'),
            ',"date_received":',
            concat('"', d.date_received, '"'),
            ',"storage_from_id":',
            d.storage_from_id,
            ',"storage_from_name":',
            to_json(sf.name),
            ',"storage_to_id":',
            d.storage_to_id,
            ',"storage_to_name":',
            to_json(st.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"notes":',
            to_json(d.notes),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from transfers d
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or (
                      d.notes <> ''
                        and replace(
                          replace(
                            replace(
                              lower(
                                case
                                  when octet_length(d.notes) <= 2000 then d.notes
                                  else left(d.notes, 2000)
                                  end
                              ),
                                'ß',
                                'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                        and (
                          strpos(d.notes, ' not found: ') = 0
                            or :search !~ '[0-9.-]'
                            or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                            or replace(
                              replace(
                                replace(
                                  lower(
                                    '' || regexp_replace(
                                      d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                    )
                                  ),
                                    'ß',
                                    'ss'
                                ),
                                  'ς',
                                  'σ'
                              ),
                                'i̇',
                                'i'
                            ) like :search
                        )
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:storage_id::bigint is null or :storage_id in (d.storage_from_id, d.storage_to_id))
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.transfer_id
                    from transfer_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and true
            order by case when d.lines > 1
              and exists (select from items c where c.company_id = :company_id and c.unit_changed) then case
                when (
                  select range_agg(int8range(m.id, m.id, '[]'))
                  from (
                    select l.transfer_id as id
                    from transfer_lines l
                    join items i on i.company_id = :company_id and i.id = l.item_id
                    where l.company_id = :company_id
                    group by l.transfer_id
                    having min(i.unit_id) <> max(i.unit_id)
                  ) m
                ) @> d.id then null
                else coalesce(
                  d.amount,
                    (
                      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
                      from transfer_lines l
                      join items i on i.company_id = :company_id and i.id = l.item_id
                      where l.company_id = :company_id and l.transfer_id = d.id
                    )
                )
                end
                else d.amount
                end desc nulls last,
              d.listed,
              d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join transfers d on d.id = page.key_0
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"cost":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 1 <> 0) or not bool_or(each_group.is_shown and (each_group.met & 1 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case when d.status <> 4 then 1 else 0 end as met, d.cost as term_0
          from transfers d
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or (
                    d.notes <> ''
                      and replace(
                        replace(
                          replace(
                            lower(
                              case
                                when octet_length(d.notes) <= 2000 then d.notes
                                else left(d.notes, 2000)
                                end
                            ),
                              'ß',
                              'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                      and (
                        strpos(d.notes, ' not found: ') = 0
                          or :search !~ '[0-9.-]'
                          or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                          or replace(
                            replace(
                              replace(
                                lower(
                                  '' || regexp_replace(
                                    d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                  )
                                ),
                                  'ß',
                                  'ss'
                              ),
                                'ς',
                                'σ'
                            ),
                              'i̇',
                              'i'
                          ) like :search
                      )
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:storage_id::bigint is null or :storage_id in (d.storage_from_id, d.storage_to_id))
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.transfer_id
                  from transfer_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
            and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- transfers.browse.by_cost_asc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
select summary.total,
  summary.sums,
  summary.counts,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date":',
            concat('"', d.date, '"'),
            ',"date_received":',
            concat('"', d.date_received, '"'),
            ',"storage_from_id":',
            d.storage_from_id,
            ',"storage_from_name":',
            to_json(sf.name),
            ',"storage_to_id":',
            d.storage_to_id,
            ',"storage_to_name":',
            to_json(st.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"notes":',
            to_json(d.notes),
            '}'
        ) as json
        from (
          select array(
            select d.id
            from transfers d
            where d.company_id = :company_id
              and case
                when :is_unfiltered::boolean then true
                when (
                  :search::text is null
                    or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or (
                      d.notes <> ''
                        and replace(
                          replace(
                            replace(
                              lower(
                                case
                                  when octet_length(d.notes) <= 2000 then d.notes
                                  else left(d.notes, 2000)
                                  end
                              ),
                                'ß',
                                'ss'
                            ),
                              'ς',
                              'σ'
                          ),
                            'i̇',
                            'i'
                        ) like :search
                        and (
                          strpos(d.notes, ' not found: ') = 0
                            or :search !~ '[0-9.-]'
                            or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                            or replace(
                              replace(
                                replace(
                                  lower(
                                    '' || regexp_replace(
                                      d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                    )
                                  ),
                                    'ß',
                                    'ss'
                                ),
                                  'ς',
                                  'σ'
                              ),
                                'i̇',
                                'i'
                            ) like :search
                        )
                    )
                )
              and (:ids::bigint[] is null or d.id = any(:ids))
              and (:status::int[] is null or d.status = any(:status))
              and (:storage_id::bigint is null or :storage_id in (d.storage_from_id, d.storage_to_id))
              and (
                :item_id::bigint is null
                  or d.id in (
                    select l.transfer_id
                    from transfer_lines l
                    where l.company_id = :company_id and l.item_id = :item_id
                  )
              )
              and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
              and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true
                else false
                end
              and true
            order by d.cost, d.listed, d.id
            limit :limit::bigint
            offset :offset::bigint
          ) as found
          offset 0
        ) cut_out
        cross join lateral unnest(cut_out.found) with ordinality as page (key_0, place)
        join transfers d on d.id = page.key_0
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        where d.company_id = :company_id
        order by page.place
        limit :limit::bigint
      ) each_row
    ) each_row
  ) as rows
from (
  select coalesce(sum(each_group.entries) filter (where each_group.is_shown), 0)::bigint as total,
    concat(
      '{"cost":', trim_scale(coalesce(sum(each_group.sum_0) filter (where each_group.is_summed), 0)), '}'
    ) as sums,
    concat('{"all":', coalesce(sum(each_group.entries) filter (where true), 0)::text, '}') as counts
  from (
    select each_group.*,
      each_group.is_shown
        and (
          (each_group.met & 1 <> 0) or not bool_or(each_group.is_shown and (each_group.met & 1 <> 0)) over ()
        ) as is_summed
    from (
      select each_group.*, true as is_shown
      from (
        select each_row.met, count(*) as entries, sum(each_row.term_0) as sum_0
        from (
          select case when d.status <> 4 then 1 else 0 end as met, d.cost as term_0
          from transfers d
          where d.company_id = :company_id
            and case
              when :is_unfiltered::boolean then true
              when (
                :search::text is null
                  or replace(replace(replace(lower(d.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                  or (
                    d.notes <> ''
                      and replace(
                        replace(
                          replace(
                            lower(
                              case
                                when octet_length(d.notes) <= 2000 then d.notes
                                else left(d.notes, 2000)
                                end
                            ),
                              'ß',
                              'ss'
                          ),
                            'ς',
                            'σ'
                        ),
                          'i̇',
                          'i'
                      ) like :search
                      and (
                        strpos(d.notes, ' not found: ') = 0
                          or :search !~ '[0-9.-]'
                          or d.notes !~ '(Product|Material) not found: (SKU "|(external )?id )'
                          or replace(
                            replace(
                              replace(
                                lower(
                                  '' || regexp_replace(
                                    d.notes, '(, amount [0-9.]+), total -?[0-9.]+', '\1', 'g'
                                  )
                                ),
                                  'ß',
                                  'ss'
                              ),
                                'ς',
                                'σ'
                            ),
                              'i̇',
                              'i'
                          ) like :search
                      )
                  )
              )
            and (:ids::bigint[] is null or d.id = any(:ids))
            and (:status::int[] is null or d.status = any(:status))
            and (:storage_id::bigint is null or :storage_id in (d.storage_from_id, d.storage_to_id))
            and (
              :item_id::bigint is null
                or d.id in (
                  select l.transfer_id
                  from transfer_lines l
                  where l.company_id = :company_id and l.item_id = :item_id
                )
            )
            and (:date_from::date is null or d.listed <= date '9999-12-31' - :date_from)
            and (:date_to::date is null or d.listed >= date '9999-12-31' - :date_to) then true else false end
          offset 0
        ) each_row
        group by each_row.met
      ) each_group
    ) each_group
  ) each_group
) summary;

-- transfers.browse.by_cost_desc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.cost desc, d.listed, d.id

-- transfers.browse.by_date_asc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.listed desc, d.num_key, d.listed, d.id

-- transfers.browse.by_date_desc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.listed, d.num_key, d.listed, d.id

-- transfers.browse.by_date_received_asc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.date_received nulls last, d.listed, d.id

-- transfers.browse.by_date_received_desc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.date_received desc nulls last, d.listed, d.id

-- transfers.browse.by_num_asc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.num_key, d.listed, d.id

-- transfers.browse.by_num_desc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.num_key desc, d.listed, d.id

-- transfers.browse.by_status_asc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.status, d.listed, d.id

-- transfers.browse.by_status_desc
-- parameters: company_id, is_unfiltered, search, ids, status, storage_id, item_id, date_from, date_to, limit, offset
-- sent by: transfers/browse
-- as transfers.browse.by_cost_asc, but order by d.status desc, d.listed, d.id

-- transfers.card
-- parameters: company_id, document_id
-- sent by: transfers/get_card
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"date":',
        concat('"', d.date, '"'),
        ',"date_received":',
        concat('"', d.date_received, '"'),
        ',"storage_from_id":',
        d.storage_from_id,
        ',"storage_from_name":',
        to_json(sf.name),
        ',"storage_to_id":',
        d.storage_to_id,
        ',"storage_to_name":',
        to_json(st.name),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"cost":',
        trim_scale(d.cost),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"created_at":',
        to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
        ',"updated_at":',
        to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    own_lines.materials,
    ']',
    '}'
) as entry,
  (
    select coalesce(max(e.seq), 0)
    from events e
    where e.company_id = :company_id and e.record = 'transfer' and e.record_id = d.id
  ) as seq,
  coalesce(
    (
      select '[' || string_agg(
        concat(
          '{"date":',
            to_json(m.date),
            ',"type":',
            to_json(i.kind),
            ',"item_id":',
            m.item_id,
            ',"sku":',
            to_json(i.sku),
            ',"name":',
            to_json(i.name),
            ',"unit":',
            to_json(n.name),
            ',"storage_id":',
            m.storage_id,
            ',"storage_name":',
            to_json(t.name),
            ',"on_hand":',
            trim_scale(m.on_hand),
            ',"reserved":',
            trim_scale(m.reserved),
            ',"recorded_at":',
            to_char(m.recorded_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"request_id":',
            coalesce(to_json(e.request_id)::text, 'null'),
            '}'
        ),
          ',' order by m.id
      )
        || ']'
      from stock_movements m
      join items i on i.company_id = :company_id and i.id = m.item_id
      join units n on n.company_id = :company_id and n.id = i.unit_id
      join storages t on t.company_id = :company_id and t.id = m.storage_id
      left join events e on e.company_id = :company_id and e.seq = m.seq
      where m.company_id = :company_id
        and m.section = 'transfers'
        and m.document_id = d.id
        and (m.on_hand <> 0 or m.reserved <> 0)
    ),
      '[]'
  ) as effect
from transfers d
join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
join storages st on st.company_id = :company_id and st.id = d.storage_to_id
cross join lateral (
  select string_agg(
    concat(
      '{"id":',
        l.item_id,
        ',"sku":',
        to_json(i.sku),
        ',"name":',
        to_json(i.name),
        ',"amount":',
        trim_scale(l.amount),
        ',"unit":',
        to_json(n.name),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products,
    string_agg(
      concat(
        '{"id":',
          l.item_id,
          ',"sku":',
          to_json(i.sku),
          ',"name":',
          to_json(i.name),
          ',"amount":',
          trim_scale(l.amount),
          ',"unit":',
          to_json(n.name),
          ',"cost":',
          trim_scale(l.cost),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from transfer_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.transfer_id = d.id
) own_lines
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from transfer_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.transfer_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id and d.id = :document_id;

-- transfers.delete
-- parameters: company_id, document_id
-- sent by: transfers/delete
delete from transfers
where company_id = :company_id and id = :document_id;

-- transfers.delete_lines
-- parameters: company_id, document_id
-- sent by: transfers/delete, transfers/edit, transfers/update_status
delete from transfer_lines
where company_id = :company_id and transfer_id = :document_id;

-- transfers.facts
-- parameters: company_id, connection_id, document_id, moves_in_list, day, item_ids, product_skus, material_skus, storage_ids
-- sent by: transfers/delete, transfers/edit, transfers/update_status
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  '[]'::json as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select l.item_id
        from transfer_lines l
        where l.company_id = :company_id and l.transfer_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'transfers' and m.document_id = :document_id::bigint
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as items,
  '[]'::json as codes,
  (
    select json_build_object(
      'id',
        d.id,
        'source',
        d.source,
        'num',
        d.num,
        'num_key',
        d.num_key,
        'status',
        d.status,
        'date',
        d.date,
        'date_received',
        d.date_received,
        'storage_from_id',
        d.storage_from_id,
        'storage_to_id',
        d.storage_to_id,
        'cost',
        d.cost::text,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'notes',
        d.notes,
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'cost',
                  l.cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.transfer_id = d.id
        )
    )
    from transfers d
    where d.company_id = :company_id and d.id = :document_id::bigint
  ) as document,
  (
    select coalesce(
      json_agg(
        json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued)
      ),
        '[]'::json
    )
    from (
      select m.part,
        m.storage_id,
        m.item_id,
        m.date,
        sum(m.on_hand)::text as on_hand,
        sum(m.reserved)::text as reserved,
        coalesce(sum(m.value) filter (where m.kind = 'move'), 0)::text as value,
        coalesce(sum(m.value) filter (where m.kind = 'revaluation'), 0)::text as revalued
      from stock_movements m
      where m.company_id = :company_id and m.section = 'transfers' and m.document_id = :document_id::bigint
      group by m.part, m.storage_id, m.item_id, m.date
      having sum(m.on_hand) <> 0
        or sum(m.reserved) <> 0
        or sum(m.value) <> 0
        or sum(m.value) filter (where m.kind = 'move') <> 0
    ) p
  ) as posted,
  case
    when :moves_in_list::boolean then (
      select json_build_array(
        r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ()
      )
      from list_runs r
      where r.company_id = :company_id
        and r.list = 'transfers'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date
                from transfers d
                where d.company_id = :company_id and d.id = :document_id::bigint
              )
          )
        )
      order by r.entries desc
      limit 1
    )
    end as longest_run,
  (
    select coalesce(json_agg(json_build_array(v.storage_id, v.item_id)), '[]'::json)
    from (
      select distinct w.id
      from (
        select unnest(:item_ids::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
        union all
        select l.item_id
        from transfer_lines l
        where l.company_id = :company_id and l.transfer_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'transfers' and m.document_id = :document_id::bigint
      ) w (id)
    ) w
    cross join lateral (
      select v.storage_id, v.item_id
      from stock_levels v
      where v.company_id = :company_id
        and v.item_id = w.id
        and v.on_hand <> 0
        and v.storage_id in (
          select unnest(:storage_ids::bigint[])
          union all
          select d.storage_from_id
          from transfers d
          where d.company_id = :company_id and d.id = :document_id::bigint
          union all
          select unnest(array[c.products_storage_id, c.materials_storage_id])
          from companies c
          where c.company_id = :company_id
        )
      offset 0
    ) v
    join items i on i.company_id = :company_id and i.id = v.item_id
    join storages t on t.company_id = :company_id and t.id = v.storage_id
    where i.deleted_at is not null or t.deleted_at is not null
  ) as stranded;

-- transfers.facts.external
-- a variant of transfers.facts; the others between the two: .items, .all
with external_items as materialized (
  select x.record, x.external_id, x.record_id as item_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'product'
    and x.external_id = any(:product_external_ids::text[])
  union all
  select x.record, x.external_id, x.record_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'material'
    and x.external_id = any(:material_external_ids::text[])
),
  named as materialized (select :item_ids::bigint[] || array(select x.item_id from external_items x) as ids)
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  (
    select coalesce(json_agg(t.id), '[]'::json)
    from storages t
    where t.company_id = :company_id and t.id = any(:storage_ids::bigint[]) and t.deleted_at is null
  ) as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select unnest((select n.ids from named n)::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
        union all
        select l.item_id
        from transfer_lines l
        where l.company_id = :company_id and l.transfer_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'transfers' and m.document_id = :document_id::bigint
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as items,
  (
    select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json)
    from (
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'product'
        and c.code = any(:product_skus::text[])
        and c.code_key is null
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'material' and c.code_key = any(:material_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'material'
        and c.code = any(:material_skus::text[])
        and c.code_key is null
    ) w
  ) as codes,
  (
    select coalesce(json_agg(json_build_array(x.record, x.external_id, x.item_id)), '[]'::json)
    from external_items x
  ) as external_items,
  (
    select json_build_object(
      'id',
        d.id,
        'source',
        d.source,
        'num',
        d.num,
        'num_key',
        d.num_key,
        'status',
        d.status,
        'date',
        d.date,
        'date_received',
        d.date_received,
        'storage_from_id',
        d.storage_from_id,
        'storage_to_id',
        d.storage_to_id,
        'cost',
        d.cost::text,
        'amount',
        d.amount::text,
        'lines',
        d.lines,
        'notes',
        d.notes,
        'line_rows',
        (
          select coalesce(
            json_agg(
              json_build_object(
                'kind',
                  i.kind,
                  'unit_id',
                  i.unit_id,
                  'item_id',
                  l.item_id,
                  'amount',
                  l.amount::text,
                  'cost',
                  l.cost::text
              ) order by l.position
            ),
              '[]'::json
          )
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          where l.company_id = :company_id and l.transfer_id = d.id
        )
    )
    from transfers d
    where d.company_id = :company_id and d.id = :document_id::bigint
  ) as document,
  (
    select coalesce(
      json_agg(
        json_build_array(p.storage_id, p.item_id, p.date, p.on_hand, p.reserved, p.value, p.part, p.revalued)
      ),
        '[]'::json
    )
    from (
      select m.part,
        m.storage_id,
        m.item_id,
        m.date,
        sum(m.on_hand)::text as on_hand,
        sum(m.reserved)::text as reserved,
        coalesce(sum(m.value) filter (where m.kind = 'move'), 0)::text as value,
        coalesce(sum(m.value) filter (where m.kind = 'revaluation'), 0)::text as revalued
      from stock_movements m
      where m.company_id = :company_id and m.section = 'transfers' and m.document_id = :document_id::bigint
      group by m.part, m.storage_id, m.item_id, m.date
      having sum(m.on_hand) <> 0
        or sum(m.reserved) <> 0
        or sum(m.value) <> 0
        or sum(m.value) filter (where m.kind = 'move') <> 0
    ) p
  ) as posted,
  case
    when :moves_in_list::boolean then (
      select json_build_array(
        r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ()
      )
      from list_runs r
      where r.company_id = :company_id
        and r.list = 'transfers'
        and r.listed = (
          select date '9999-12-31' - coalesce(
            :day::date,
              (
                select d.date
                from transfers d
                where d.company_id = :company_id and d.id = :document_id::bigint
              )
          )
        )
      order by r.entries desc
      limit 1
    )
    end as longest_run,
  (
    select coalesce(json_agg(json_build_array(v.storage_id, v.item_id)), '[]'::json)
    from (
      select distinct w.id
      from (
        select unnest((select n.ids from named n)::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
        union all
        select l.item_id
        from transfer_lines l
        where l.company_id = :company_id and l.transfer_id = :document_id::bigint
        union all
        select m.item_id
        from stock_movements m
        where m.company_id = :company_id and m.section = 'transfers' and m.document_id = :document_id::bigint
      ) w (id)
    ) w
    cross join lateral (
      select v.storage_id, v.item_id
      from stock_levels v
      where v.company_id = :company_id
        and v.item_id = w.id
        and v.on_hand <> 0
        and v.storage_id in (
          select unnest(:storage_ids::bigint[])
          union all
          select d.storage_from_id
          from transfers d
          where d.company_id = :company_id and d.id = :document_id::bigint
          union all
          select unnest(array[c.products_storage_id, c.materials_storage_id])
          from companies c
          where c.company_id = :company_id
        )
      offset 0
    ) v
    join items i on i.company_id = :company_id and i.id = v.item_id
    join storages t on t.company_id = :company_id and t.id = v.storage_id
    where i.deleted_at is not null or t.deleted_at is not null
  ) as stranded;

-- transfers.filtered_page
-- parameters: company_id, date_to, date_from, search, status, ids, updated_after, with_lines, with_meta, offset, limit
-- sent by: transfers/get_list
select (
  select count(*)
  from transfers o
  where o.company_id = :company_id
    and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (
      :search::text is null
        or (replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search or false)
    )
    and (:status::int is null or o.status = :status)
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date":',
                concat('"', d.date, '"'),
                ',"date_received":',
                concat('"', d.date_received, '"'),
                ',"storage_from_id":',
                d.storage_from_id,
                ',"storage_from_name":',
                to_json(sf.name),
                ',"storage_to_id":',
                d.storage_to_id,
                ',"storage_to_name":',
                to_json(st.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[', own_lines.products, ']', ',"materials":[', own_lines.materials, ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'transfer' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from transfers o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
            and (
              :search::text is null
                or (
                  replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search
                    or false
                )
            )
            and (:status::int is null or o.status = :status)
            and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
            and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
          order by o.listed, o.num_key, o.id
          offset :offset
          limit :limit
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"unit":',
                  to_json(n.name),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.transfer_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.find
-- parameters: company_id, id
-- sent by: transfers/get_entry
select concat(
  '{',
    concat(
      '"id":',
        d.id,
        ',"num":',
        to_json(d.num),
        ',"status":',
        d.status,
        ',"date":',
        concat('"', d.date, '"'),
        ',"date_received":',
        concat('"', d.date_received, '"'),
        ',"storage_from_id":',
        d.storage_from_id,
        ',"storage_from_name":',
        to_json(sf.name),
        ',"storage_to_id":',
        d.storage_to_id,
        ',"storage_to_name":',
        to_json(st.name),
        ',"amount":',
        coalesce(trim_scale(shared.amount)::text, 'null'),
        ',"lines":',
        d.lines,
        ',"cost":',
        trim_scale(d.cost),
        ',"source":',
        to_json(d.source),
        ',"notes":',
        to_json(d.notes),
        ',"created_at":',
        to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
        ',"updated_at":',
        to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
    ),
    ',"products":[',
    own_lines.products,
    ']',
    ',"materials":[',
    own_lines.materials,
    ']',
    '}'
) as record
from transfers d
join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
join storages st on st.company_id = :company_id and st.id = d.storage_to_id
cross join lateral (
  select string_agg(
    concat(
      '{"id":',
        l.item_id,
        ',"sku":',
        to_json(i.sku),
        ',"name":',
        to_json(i.name),
        ',"amount":',
        trim_scale(l.amount),
        ',"unit":',
        to_json(n.name),
        ',"cost":',
        trim_scale(l.cost),
        ',"position":',
        l.position,
        '}'
    ),
      ',' order by l.position
  ) filter (where i.kind = 'product') as products,
    string_agg(
      concat(
        '{"id":',
          l.item_id,
          ',"sku":',
          to_json(i.sku),
          ',"name":',
          to_json(i.name),
          ',"amount":',
          trim_scale(l.amount),
          ',"unit":',
          to_json(n.name),
          ',"cost":',
          trim_scale(l.cost),
          ',"position":',
          l.position,
          '}'
      ),
        ',' order by l.position
    ) filter (where i.kind = 'material') as materials
  from transfer_lines l
  join items i on i.company_id = :company_id and i.id = l.item_id
  join units n on n.company_id = :company_id and n.id = i.unit_id
  where l.company_id = :company_id and l.transfer_id = d.id
) own_lines
cross join lateral (
  select case when d.lines > 1
    and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
      select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
      from transfer_lines l
      join items i on i.company_id = :company_id and i.id = l.item_id
      where l.company_id = :company_id and l.transfer_id = d.id
    )
      else d.amount
      end
) shared (amount)
where d.company_id = :company_id and d.id = :id;

-- transfers.first_page
-- parameters: company_id, date_to, date_from, limit
-- sent by: transfers/get_list
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'transfers'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date":',
            concat('"', d.date, '"'),
            ',"date_received":',
            concat('"', d.date_received, '"'),
            ',"storage_from_id":',
            d.storage_from_id,
            ',"storage_from_name":',
            to_json(sf.name),
            ',"storage_to_id":',
            d.storage_to_id,
            ',"storage_to_name":',
            to_json(st.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"created_at":',
            to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"updated_at":',
            to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            '}'
        ) as json
        from (
          select o.*
          from transfers o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
          order by o.listed, o.num_key, o.id
          limit :limit
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.insert
-- parameters: company_id, document_id, num, num_key, status, date, date_received, storage_from_id, storage_to_id, cost, amount, lines, notes, at, source
-- sent by: transfers/add
insert into transfers (
  company_id,
    id,
    num,
    num_key,
    status,
    date,
    date_received,
    storage_from_id,
    storage_to_id,
    cost,
    amount,
    lines,
    notes,
    updated_at,
    created_at,
    source
)
values (
  :company_id,
    :document_id,
    :num,
    :num_key,
    :status,
    :date,
    :date_received,
    :storage_from_id,
    :storage_to_id,
    :cost,
    :amount,
    :lines,
    :notes,
    :at,
    :at,
    :source
);

-- transfers.insert_lines
-- parameters: company_id, transfer_id, item_id, amount, cost
-- sent by: transfers/add, transfers/edit, transfers/update_status
insert into transfer_lines (company_id, transfer_id, position, item_id, amount, cost)
select c.company_id, :transfer_id, x.place - 1, x.item_id, x.amount, x.cost
from company_clock c
cross join unnest(
  :item_id::bigint[], :amount::numeric[], :cost::numeric[]
) with ordinality as x (item_id, amount, cost, place)
where c.company_id = :company_id;

-- transfers.insert_lines.rows_8
-- a variant of transfers.insert_lines; the others between the two: .rows_1, .rows_2, .rows_3, .rows_4, .rows_5, .rows_6, .rows_7
insert into transfer_lines (company_id, transfer_id, position, item_id, amount, cost)
values (:company_id, :transfer_id, 0, :item_id_1, :amount_1, :cost_1),
  (:company_id, :transfer_id, 1, :item_id_2, :amount_2, :cost_2),
  (:company_id, :transfer_id, 2, :item_id_3, :amount_3, :cost_3),
  (:company_id, :transfer_id, 3, :item_id_4, :amount_4, :cost_4),
  (:company_id, :transfer_id, 4, :item_id_5, :amount_5, :cost_5),
  (:company_id, :transfer_id, 5, :item_id_6, :amount_6, :cost_6),
  (:company_id, :transfer_id, 6, :item_id_7, :amount_7, :cost_7),
  (:company_id, :transfer_id, 7, :item_id_8, :amount_8, :cost_8);

-- transfers.new_facts
-- parameters: company_id, connection_id, item_ids, day, product_skus, material_skus, storage_ids
-- sent by: transfers/add
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  '[]'::json as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from items i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
    where i.company_id = :company_id and i.id = any(:item_ids::bigint[])
  ) as items,
  '[]'::json as codes,
  (
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'transfers'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_run,
  (
    with recursive tried (number, step, tries) as (
      select k.last_transfer_number + 1, 1::bigint, 1
      from company_clock k
      where k.company_id = :company_id
      union all
      select t.number + t.step, case when t.tries < 1000 then 1 else t.step * 2 end, t.tries + 1
      from tried t
      where t.tries < 1030
        and exists (
          select
          from transfers d
          where d.company_id = :company_id and d.num = 'T-' || t.number
          offset 0
        )
    )
    select max(t.number)
    from tried t
  ) as free_number,
  (
    select coalesce(json_agg(json_build_array(v.storage_id, v.item_id)), '[]'::json)
    from (
      select distinct w.id
      from (
        select unnest(:item_ids::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
      ) w (id)
    ) w
    cross join lateral (
      select v.storage_id, v.item_id
      from stock_levels v
      where v.company_id = :company_id
        and v.item_id = w.id
        and v.on_hand <> 0
        and v.storage_id in (
          select unnest(:storage_ids::bigint[])
          union all
          select unnest(array[c.products_storage_id, c.materials_storage_id])
          from companies c
          where c.company_id = :company_id
        )
      offset 0
    ) v
    join items i on i.company_id = :company_id and i.id = v.item_id
    join storages t on t.company_id = :company_id and t.id = v.storage_id
    where i.deleted_at is not null or t.deleted_at is not null
  ) as stranded;

-- transfers.new_facts.external
-- a variant of transfers.new_facts; the others between the two: .storages, .codes, .codes.storages
with external_items as materialized (
  select x.record, x.external_id, x.record_id as item_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'product'
    and x.external_id = any(:product_external_ids::text[])
  union all
  select x.record, x.external_id, x.record_id
  from external_ids x
  where x.company_id = :company_id
    and x.connection_id = coalesce(:connection_id::bigint, 0)
    and x.record = 'material'
    and x.external_id = any(:material_external_ids::text[])
),
  named as materialized (select :item_ids::bigint[] || array(select x.item_id from external_items x) as ids)
select (
  select json_build_object(
    'timezone',
      c.timezone,
      'default_sale_status',
      c.default_sale_status,
      'materials_in_sales',
      c.materials_in_sales,
      'products_storage_id',
      c.products_storage_id,
      'materials_storage_id',
      c.materials_storage_id,
      'default_fulfillment',
      c.default_fulfillment,
      'show_payment_status',
      c.show_payment_status,
      'daily_limit',
      c.daily_limit,
      'today',
      to_char(now() at time zone c.timezone, 'YYYY-MM-DD'),
      'number_prefix',
      coalesce(
        (
          select k.number_prefix
          from api_connections k
          where k.company_id = :company_id and k.id = :connection_id::bigint
        ),
          ''
      ),
      'tax',
      case
        when c.default_tax_rate_id is not null then json_build_object(
          'included',
            c.prices_include_tax,
            'default_id',
            c.default_tax_rate_id,
            'rates',
            (
              select json_agg(json_build_array(t.id, t.name, trim_scale(t.percent)::text))
              from tax_rates t
              where t.company_id = :company_id
            )
        )
        end
  )
  from companies c
  where c.company_id = :company_id
) as company,
  (
    select coalesce(json_agg(t.id), '[]'::json)
    from storages t
    where t.company_id = :company_id and t.id = any(:storage_ids::bigint[]) and t.deleted_at is null
  ) as storages,
  (
    select coalesce(
      json_agg(
        json_build_object(
          'id',
            i.id,
            'kind',
            i.kind,
            'sku',
            i.sku,
            'unit_id',
            i.unit_id,
            'deleted',
            i.deleted_at is not null,
            'tax_rate_id',
            i.tax_rate_id,
            'price',
            i.price::text,
            'on_hand',
            coalesce(k.on_hand, 0)::text,
            'value',
            coalesce(k.value, 0)::text,
            'average',
            coalesce(k.average, 0)::text
        )
      ),
        '[]'::json
    )
    from (
      select distinct w.id
      from (
        select unnest((select n.ids from named n)::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
      ) w (id)
    ) w
    cross join lateral (select i.* from items i where i.company_id = :company_id and i.id = w.id offset 0) i
    left join item_costs k on k.company_id = :company_id and k.item_id = i.id
  ) as items,
  (
    select coalesce(json_agg(json_build_array(w.space, w.code, w.item_id)), '[]'::json)
    from (
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'product'
        and c.code = any(:product_skus::text[])
        and c.code_key is null
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id and c.space = 'material' and c.code_key = any(:material_skus::text[])
      union all
      select c.space, c.code, c.item_id, c.role
      from item_codes c
      where c.company_id = :company_id
        and c.space = 'material'
        and c.code = any(:material_skus::text[])
        and c.code_key is null
    ) w
  ) as codes,
  (
    select coalesce(json_agg(json_build_array(x.record, x.external_id, x.item_id)), '[]'::json)
    from external_items x
  ) as external_items,
  (
    select json_build_array(r.from_key, r.from_id, r.entries, date '9999-12-31' - r.listed, count(*) over ())
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'transfers'
      and r.listed = (
        select date '9999-12-31' - coalesce(
          :day::date,
            (now() at time zone (select c.timezone from companies c where c.company_id = :company_id))::date
        )
      )
    order by r.entries desc
    limit 1
  ) as longest_run,
  (
    with recursive tried (number, step, tries) as (
      select k.last_transfer_number + 1, 1::bigint, 1
      from company_clock k
      where k.company_id = :company_id
      union all
      select t.number + t.step, case when t.tries < 1000 then 1 else t.step * 2 end, t.tries + 1
      from tried t
      where t.tries < 1030
        and exists (
          select
          from transfers d
          where d.company_id = :company_id and d.num = 'T-' || t.number
          offset 0
        )
    )
    select max(t.number)
    from tried t
  ) as free_number,
  (
    select coalesce(json_agg(json_build_array(v.storage_id, v.item_id)), '[]'::json)
    from (
      select distinct w.id
      from (
        select unnest((select n.ids from named n)::bigint[])
        union all
        select w.item_id
        from (
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id and c.space = 'product' and c.code_key = any(:product_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'product'
            and c.code = any(:product_skus::text[])
            and c.code_key is null
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code_key = any(:material_skus::text[])
          union all
          select c.space, c.code, c.item_id, c.role
          from item_codes c
          where c.company_id = :company_id
            and c.space = 'material'
            and c.code = any(:material_skus::text[])
            and c.code_key is null
        ) w
      ) w (id)
    ) w
    cross join lateral (
      select v.storage_id, v.item_id
      from stock_levels v
      where v.company_id = :company_id
        and v.item_id = w.id
        and v.on_hand <> 0
        and v.storage_id in (
          select unnest(:storage_ids::bigint[])
          union all
          select unnest(array[c.products_storage_id, c.materials_storage_id])
          from companies c
          where c.company_id = :company_id
        )
      offset 0
    ) v
    join items i on i.company_id = :company_id and i.id = v.item_id
    join storages t on t.company_id = :company_id and t.id = v.storage_id
    where i.deleted_at is not null or t.deleted_at is not null
  ) as stranded;

-- transfers.page
-- parameters: company_id, offset, date_to, date_from, limit
-- sent by: transfers/get_list
with start as materialized (
  select w.listed, w.from_key, w.from_id, (:offset::bigint - w.before)::bigint as skip
  from (
    select r.listed,
      r.from_key,
      r.from_id,
      r.entries,
      sum(r.entries) over (order by r.listed, r.from_key, r.from_id) - r.entries as before
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'transfers'
      and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
        select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
      )
  ) w
  where w.before <= :offset::bigint and w.before + w.entries > :offset::bigint
)
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'transfers'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{"id":',
            d.id,
            ',"num":',
            to_json(d.num),
            ',"status":',
            d.status,
            ',"date":',
            concat('"', d.date, '"'),
            ',"date_received":',
            concat('"', d.date_received, '"'),
            ',"storage_from_id":',
            d.storage_from_id,
            ',"storage_from_name":',
            to_json(sf.name),
            ',"storage_to_id":',
            d.storage_to_id,
            ',"storage_to_name":',
            to_json(st.name),
            ',"amount":',
            coalesce(trim_scale(shared.amount)::text, 'null'),
            ',"lines":',
            d.lines,
            ',"cost":',
            trim_scale(d.cost),
            ',"source":',
            to_json(d.source),
            ',"notes":',
            to_json(d.notes),
            ',"created_at":',
            to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            ',"updated_at":',
            to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
            '}'
        ) as json
        from (
          select o.*
          from transfers o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
            and (o.listed, o.num_key, o.id) >= (
              (select t.listed from start t),
                (select t.from_key from start t),
                (select t.from_id from start t)
            )
          order by o.listed, o.num_key, o.id
          offset coalesce((select t.skip from start t), 0)
          limit :limit
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.page_by_ids
-- parameters: company_id, date_to, date_from, search, status, ids, updated_after, with_lines, with_meta, offset, limit
-- sent by: transfers/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from transfers o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (
      :search::text is null
        or (replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search or false)
    )
    and (:status::int is null or o.status = :status)
    and o.id = any(:ids::bigint[])
    and (:updated_after::timestamptz is null or o.updated_at > :updated_after::timestamptz)
)
select (select count(*) from matching) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date":',
                concat('"', d.date, '"'),
                ',"date_received":',
                concat('"', d.date_received, '"'),
                ',"storage_from_id":',
                d.storage_from_id,
                ',"storage_from_name":',
                to_json(sf.name),
                ',"storage_to_id":',
                d.storage_to_id,
                ',"storage_to_name":',
                to_json(st.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[', own_lines.products, ']', ',"materials":[', own_lines.materials, ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'transfer' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join transfers o on o.company_id = :company_id and o.id = p.id
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"unit":',
                  to_json(n.name),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.transfer_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.page_by_updated_after
-- parameters: company_id, date_to, date_from, search, status, ids, updated_after, with_lines, with_meta, offset, limit
-- sent by: transfers/get_list
with matching as materialized (
  select o.id, o.listed, o.num_key
  from transfers o
  where o.company_id = :company_id
    and o.listed + 0 between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
    and (
      :search::text is null
        or (replace(replace(replace(lower(o.num), 'ß', 'ss'), 'ς', 'σ'), 'i̇', 'i') like :search or false)
    )
    and (:status::int is null or o.status = :status)
    and (:ids::bigint[] is null or o.id = any(:ids::bigint[]))
    and o.updated_at > :updated_after::timestamptz
)
select (select count(*) from matching) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date":',
                concat('"', d.date, '"'),
                ',"date_received":',
                concat('"', d.date_received, '"'),
                ',"storage_from_id":',
                d.storage_from_id,
                ',"storage_from_name":',
                to_json(sf.name),
                ',"storage_to_id":',
                d.storage_to_id,
                ',"storage_to_name":',
                to_json(st.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[', own_lines.products, ']', ',"materials":[', own_lines.materials, ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'transfer' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from (select m.id from matching m order by m.listed, m.num_key, m.id offset :offset limit :limit) p
          join transfers o on o.company_id = :company_id and o.id = p.id
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"unit":',
                  to_json(n.name),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.transfer_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.shown.first_page
-- parameters: company_id, date_to, date_from, with_lines, with_meta, limit
-- sent by: transfers/get_list
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'transfers'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date":',
                concat('"', d.date, '"'),
                ',"date_received":',
                concat('"', d.date_received, '"'),
                ',"storage_from_id":',
                d.storage_from_id,
                ',"storage_from_name":',
                to_json(sf.name),
                ',"storage_to_id":',
                d.storage_to_id,
                ',"storage_to_name":',
                to_json(st.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[', own_lines.products, ']', ',"materials":[', own_lines.materials, ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'transfer' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from transfers o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
          order by o.listed, o.num_key, o.id
          limit :limit
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"unit":',
                  to_json(n.name),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.transfer_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.shown.page
-- parameters: company_id, offset, date_to, date_from, with_lines, with_meta, limit
-- sent by: transfers/get_list
with start as materialized (
  select w.listed, w.from_key, w.from_id, (:offset::bigint - w.before)::bigint as skip
  from (
    select r.listed,
      r.from_key,
      r.from_id,
      r.entries,
      sum(r.entries) over (order by r.listed, r.from_key, r.from_id) - r.entries as before
    from list_runs r
    where r.company_id = :company_id
      and r.list = 'transfers'
      and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
        select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
      )
  ) w
  where w.before <= :offset::bigint and w.before + w.entries > :offset::bigint
)
select (
  select coalesce(sum(r.entries), 0)::bigint
  from list_runs r
  where r.company_id = :company_id
    and r.list = 'transfers'
    and r.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
      select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
    )
) as total,
  (
    select case
      when coalesce(max(each_row.bytes), 0) <= 4194304 then coalesce(
        string_agg(each_row.json, ',') filter (where each_row.bytes <= 4194304), ''
      )
      end
    from (
      select each_row.json, sum(octet_length(each_row.json)) over (rows unbounded preceding) as bytes
      from (
        select concat(
          '{',
            concat(
              '"id":',
                d.id,
                ',"num":',
                to_json(d.num),
                ',"status":',
                d.status,
                ',"date":',
                concat('"', d.date, '"'),
                ',"date_received":',
                concat('"', d.date_received, '"'),
                ',"storage_from_id":',
                d.storage_from_id,
                ',"storage_from_name":',
                to_json(sf.name),
                ',"storage_to_id":',
                d.storage_to_id,
                ',"storage_to_name":',
                to_json(st.name),
                ',"amount":',
                coalesce(trim_scale(shared.amount)::text, 'null'),
                ',"lines":',
                d.lines,
                ',"cost":',
                trim_scale(d.cost),
                ',"source":',
                to_json(d.source),
                ',"notes":',
                to_json(d.notes),
                ',"created_at":',
                to_char(d.created_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""'),
                ',"updated_at":',
                to_char(d.updated_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.US"Z\""')
            ),
            case
              when :with_lines::boolean then concat(
                ',"products":[', own_lines.products, ']', ',"materials":[', own_lines.materials, ']'
              )
              end,
            case
              when :with_meta::boolean then concat(
                ',',
                  concat(
                    '"version":',
                      coalesce(
                        (
                          select max(v.seq)
                          from events v
                          where v.company_id = :company_id and v.record = 'transfer' and v.record_id = d.id
                        ),
                          0
                      )::text
                  )
              )
              end,
            '}'
        ) as json
        from (
          select o.*
          from transfers o
          where o.company_id = :company_id
            and o.listed between (select date '9999-12-31' - coalesce(:date_to::date, date '9999-12-31')) and (
              select date '9999-12-31' - coalesce(:date_from::date, date '0001-01-01')
            )
            and (o.listed, o.num_key, o.id) >= (
              (select t.listed from start t),
                (select t.from_key from start t),
                (select t.from_id from start t)
            )
          order by o.listed, o.num_key, o.id
          offset coalesce((select t.skip from start t), 0)
          limit :limit
        ) d
        join storages sf on sf.company_id = :company_id and sf.id = d.storage_from_id
        join storages st on st.company_id = :company_id and st.id = d.storage_to_id
        cross join lateral (
          select string_agg(
            concat(
              '{"id":',
                l.item_id,
                ',"sku":',
                to_json(i.sku),
                ',"name":',
                to_json(i.name),
                ',"amount":',
                trim_scale(l.amount),
                ',"unit":',
                to_json(n.name),
                ',"cost":',
                trim_scale(l.cost),
                ',"position":',
                l.position,
                '}'
            ),
              ',' order by l.position
          ) filter (where i.kind = 'product') as products,
            string_agg(
              concat(
                '{"id":',
                  l.item_id,
                  ',"sku":',
                  to_json(i.sku),
                  ',"name":',
                  to_json(i.name),
                  ',"amount":',
                  trim_scale(l.amount),
                  ',"unit":',
                  to_json(n.name),
                  ',"cost":',
                  trim_scale(l.cost),
                  ',"position":',
                  l.position,
                  '}'
              ),
                ',' order by l.position
            ) filter (where i.kind = 'material') as materials
          from transfer_lines l
          join items i on i.company_id = :company_id and i.id = l.item_id
          join units n on n.company_id = :company_id and n.id = i.unit_id
          where l.company_id = :company_id and l.transfer_id = d.id and :with_lines::boolean
        ) own_lines
        cross join lateral (
          select case when d.lines > 1
            and exists (select from items c where c.company_id = :company_id and c.unit_changed) then (
              select case when min(i.unit_id) = max(i.unit_id) then sum(l.amount) end
              from transfer_lines l
              join items i on i.company_id = :company_id and i.id = l.item_id
              where l.company_id = :company_id and l.transfer_id = d.id
            )
              else d.amount
              end
        ) shared (amount)
        order by d.listed, d.num_key, d.id
        limit :limit
      ) each_row
    ) each_row
  ) as rows;

-- transfers.update
-- parameters: company_id, num, num_key, status, date, date_received, storage_from_id, storage_to_id, cost, amount, lines, notes, at, document_id
-- sent by: transfers/edit, transfers/update_status
update transfers
set num = :num,
  num_key = :num_key,
  status = :status,
  date = :date,
  date_received = :date_received,
  storage_from_id = :storage_from_id,
  storage_to_id = :storage_to_id,
  cost = :cost,
  amount = :amount,
  lines = :lines,
  notes = :notes,
  updated_at = :at
where company_id = :company_id and id = :document_id;
