-- The requests that wrk sends: those of a file, in order, starting over at the end. They are prepared before the measurement starts.
-- The file contains one request per line: URL of the method, key and body, separated by tabs.

local requests = {}
local sent = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, key, body = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    requests[#requests + 1] = wrk.format("POST", path, {
      ["Host"] = wrk.host .. ":" .. wrk.port,
      ["Authorization"] = key,
      ["Content-Type"] = "application/json",
    }, body)
  end
end

function request()
  sent = sent + 1
  return requests[(sent - 1) % #requests + 1]
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"failed":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
