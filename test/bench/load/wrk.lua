-- Calls with bodies and paths of their own, and a check of every response.
--
-- Arguments: method, path, file with the body, status, text that every response must contain, prefix of unique names.
-- In path and body, <random A B> stands for a number from A to B, <random A B C> for one that is A plus a multiple of C,
-- <unique> for a name that no other call has, <serial A> for A in the first call, A + 1 in the second and so on.

local threads = {}

function setup(thread)
  thread:set("seed", os.time() * 1000 + #threads)
  table.insert(threads, thread)
end

-- Literal pieces and functions that make the variable ones, in turn.
local function parse(template, prefix)
  local pieces, at = {}, 1
  local made = 0
  for before, kind, words, after in template:gmatch("()<(%a+) ?([%d ]*)>()") do
    table.insert(pieces, template:sub(at, before - 1))
    at = after
    local low, high, step = words:match("(%d*) ?(%d*) ?(%d*)")
    low, high, step = tonumber(low), tonumber(high), tonumber(step) or 1
    if kind == "random" then
      local count = math.floor((high - low) / step)
      table.insert(pieces, function() return string.format("%d", low + step * math.random(0, count)) end)
    elseif kind == "serial" then
      -- wrk makes one request that it does not send
      local serial = low - 2
      table.insert(pieces, function() serial = serial + 1 return string.format("%d", serial) end)
    else
      table.insert(pieces, function() made = made + 1 return prefix .. made end)
    end
  end
  table.insert(pieces, template:sub(at))
  return pieces
end

local function fill(pieces)
  if #pieces == 1 then return pieces[1] end
  local parts = {}
  for index, piece in ipairs(pieces) do
    parts[index] = type(piece) == "function" and piece() or piece
  end
  return table.concat(parts)
end

-- Read by done(), which sees the global variables of a thread only.
wrong = 0
sample = ""

local method, paths, bodies, expectedStatus, expectedText, head

function init(args)
  local path, bodyFile, prefix
  method, path, bodyFile, expectedStatus, expectedText, prefix = unpack(args, 1, 6)
  expectedStatus = tonumber(expectedStatus)
  local file = assert(io.open(bodyFile, "rb"))
  paths, bodies = parse(path, prefix), parse(file:read("*a"), prefix)
  file:close()
  math.randomseed(seed)
  local lines = {}
  for name, value in pairs(wrk.headers) do table.insert(lines, name .. ": " .. value .. "\r\n") end
  head = " HTTP/1.1\r\n" .. table.concat(lines) .. "Content-Length: "
end

function request()
  local body = fill(bodies)
  return method .. " " .. fill(paths) .. head .. #body .. "\r\n\r\n" .. body
end

function response(status, _, body)
  if status == expectedStatus and body:find(expectedText, 1, true) then return end
  wrong = wrong + 1
  if wrong == 1 then sample = status .. " " .. body:sub(1, 300) end
end

function done(summary, latency)
  local all, first = 0, ""
  for _, thread in ipairs(threads) do
    all = all + thread:get("wrong")
    if first == "" then first = thread:get("sample") end
  end
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  local line = '{"calls":%d,"seconds":%.6f,"broken":%d,"wrong":%d,"p50":%.3f,"p99":%.3f}\n%s\n'
  local p50, p99 = latency:percentile(50) / 1000, latency:percentile(99) / 1000
  io.write(line:format(summary.requests, summary.duration / 1e6, broken, all, p50, p99, first))
end
