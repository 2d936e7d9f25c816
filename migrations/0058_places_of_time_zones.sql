-- PostgreSQL reads these names of time zones as abbreviations without summer time. The places they stand for have it.

update companies set timezone = case timezone
    when 'CET' then 'Europe/Brussels' when 'MET' then 'Europe/Brussels' when 'EET' then 'Europe/Athens' when 'WET' then 'Europe/Lisbon'
    when 'EST' then 'America/Panama' when 'MST' then 'America/Phoenix' when 'HST' then 'Pacific/Honolulu' end
  where timezone in ('CET', 'MET', 'EET', 'WET', 'EST', 'MST', 'HST');
