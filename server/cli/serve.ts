// kontor serve: the service itself.

import { serve } from '../main.ts'
import { readConfig } from '../platform/config.ts'
import { type Command, options } from './command.ts'

export const serveCommand: Command = {
  words: ['serve'],
  usage: 'serve',
  summary: 'Serve the interface until stopped (migrates first)',
  help: `The environment configures it:
  DATABASE_URL          the PostgreSQL database (required)
  HOST, PORT            where to listen; default 127.0.0.1 and 8080
  WORKERS               server processes on that port; default 1
  METRICS_HOST, METRICS_PORT  Prometheus metrics at /metrics; default 127.0.0.1 and 9464
  PUBLIC_ORIGIN         the address browsers use, such as https://kontor.example; set it when a proxy stands in front
  TRUSTED_PROXIES       whose word about a caller's address is taken: addresses or networks; default loopback
  SIGN_UP               open (default), or closed: companies are then made by "company create" and "user invite"
  WEB_DIR               the built screens; default web/dist
  DATABASE_CONNECTIONS  connections for requests, over all workers; default 8
  DATABASE_STREAMS      endless lists at a time per process; default 2
  DATABASE_PLANS        generic (default), or auto on a sharded cluster
  REQUEST_LOG_DAYS      days the request log is kept; default 30
  STOP_DELAY_MS         time between /readyz turning 503 and the end of listening; default 0
  LOG_LEVEL             fatal, error, warn, info, debug, trace or silent; default info
SIGTERM or SIGINT end it after the requests under way.`,
  run: async (rest) => {
    options(rest, {})
    await serve(readConfig(process.env))
    return Number.POSITIVE_INFINITY
  },
}
