// deploy/grafana/dashboard.json: one chart for each metric of the table, in rows by area.

import { type MetricKey, type MetricRow, metricTable } from '../platform/process/metric-table.ts'
import { type Chart, charts } from './charts.ts'

const columns = 3
const chartWidth = 24 / columns
const chartHeight = 8

/** A variable of the dashboard: the data source is chosen when it is imported. */
const datasource = { type: 'prometheus', uid: '$datasource' }

type Place = { readonly x: number; readonly y: number }

const chartPanel = ({ name, help }: MetricRow, chart: Chart, id: number, { x, y }: Place) => ({
  id,
  type: 'timeseries',
  title: chart.title,
  description: `${help} (${name})`,
  datasource,
  gridPos: { x, y, w: chartWidth, h: chartHeight },
  fieldConfig: { defaults: { unit: chart.unit, min: 0 }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  targets: [{ refId: 'A', datasource, expr: chart.expr, legendFormat: chart.legend }],
})

function panels(): object[] {
  let id = 0
  let y = 0
  const all: object[] = []
  for (const [area, rows] of Map.groupBy(Object.entries(metricTable), ([, row]) => row.area)) {
    all.push({ id: ++id, type: 'row', title: area, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] })
    y++
    for (const [at, [key, row]] of rows.entries()) {
      const place = { x: (at % columns) * chartWidth, y: y + Math.floor(at / columns) * chartHeight }
      all.push(chartPanel(row, charts[key as MetricKey], ++id, place))
    }
    y += Math.ceil(rows.length / columns) * chartHeight
  }
  return all
}

export const dashboardFile = (): string => {
  const dashboard = {
    title: 'Kontor',
    uid: 'kontor',
    tags: ['kontor'],
    timezone: 'browser',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }],
    },
    annotations: { list: [] },
    panels: panels(),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}
