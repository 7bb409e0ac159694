-- Delivers the orders of a shop to the players of this server. README.md has the settings and what is promised.
-- Luanti saves players, their metadata and the storage of mods in one step, every few seconds. So the key of a delivery (deliveryId:run) stands in
-- the record that holds what it gave: lost together or kept together. After a restart the record is asked, and nothing else.
local http = core.request_http_api and core.request_http_api()
local storage = core.get_mod_storage()
local setting = function(name) return core.settings:get("shop_" .. name) or "" end
local url, shop, server, key = setting("url"):gsub("/+$", ""), setting("id"), setting("server_id"), setting("key")
if not http then
  return core.log("error", "[shop] No HTTP: add shop_delivery to secure.http_mods; Luanti must be built with cURL")
elseif url == "" or shop == "" or server == "" or key == "" then
  return core.log("error", "[shop] Set shop_url, shop_id, shop_server_id and shop_key")
end

-- Chat commands run with the privileges of this player, who need not be online.
local ACTOR = core.settings:get("shop_actor") or core.settings:get("name") or "singleplayer"
-- In the time of the game: two saves have happened by then, also on a server that lags.
local SAVED_AFTER = 2 * (tonumber(core.settings:get("server_map_save_interval")) or 5.3) + 1
local LEASE_SECONDS, LIMIT, RETRY_SECONDS, PROBLEM_SECONDS = 60, 10, 30, 15
-- What the shop does not know yet: the key of a delivery -> its report.
local reports = {}

local function post(path, body, done)
  http.fetch({
    url = url .. path, method = "POST", timeout = 15, data = core.write_json(body),
    extra_headers = {"Content-Type: application/json", "X-API-Key: " .. key},
  }, function(response)
    local parsed = response.succeeded and core.parse_json(response.data)
    if response.code == 200 and parsed then return done(parsed.data) end
    core.log("warning", "[shop] " .. path .. ": " .. response.code .. " " .. tostring(parsed and parsed.error or "no response"))
    done(nil)
  end)
end

-- Names of players differ in more than upper and lower case.
local function online(nickname)
  for _, player in ipairs(core.get_connected_players()) do
    if player:get_player_name():lower() == nickname:lower() then return player end
  end
end

-- What a command does: an item for the player of the delivery, or a chat command. Otherwise nil, and why it cannot run.
local function parse(command, nickname)
  local word, param = command:match("^%s*/?(%S+)%s*(.*)$")
  if not word then return nil, "No command: " .. command end
  local receiver, item = param:match("^(%S+)%s+(.+)$")
  if word == "give" and receiver and receiver:lower() == nickname:lower() then
    local stack = ItemStack(item)
    if core.registered_items[stack:get_name()] and not stack:is_empty() then return {item = stack} end
    return nil, "Unknown item: " .. item
  end
  local definition = core.registered_chatcommands[word]
  return definition and {func = definition.func, param = param}, "Unknown command: " .. word
end

local function fits(inventory, steps)
  local before, all = inventory:get_list("main"), true
  for _, step in ipairs(steps) do all = all and (not step.item or inventory:add_item("main", step.item):is_empty()) end
  inventory:set_list("main", before)
  return all
end

-- Runs a chat command as the server does; returns whether it succeeded, and what it said.
local function chat(step)
  local said, send = {}, core.chat_send_player
  core.chat_send_player = function(name, text) if name == ACTOR then said[#said + 1] = text else send(name, text) end end
  local ran, success, text = pcall(step.func, ACTOR, step.param)
  core.chat_send_player = send
  local last = not ran and success or text
  if last ~= nil then said[#said + 1] = tostring(last) end
  return ran and success ~= false, core.get_translated_string("en", core.strip_colors(table.concat(said, " ")))
end

local function run(steps, commands, player)
  local lines = {}
  for index, step in ipairs(steps) do
    local success, text = true, "given"
    if step.item then success = player:get_inventory():add_item("main", step.item):is_empty() else success, text = chat(step) end
    lines[#lines + 1] = "> " .. commands[index] .. "\n" .. text
    -- What ran in part must not run again as a whole: a person decides.
    if not success then return index == 1 and "failed" or "uncertain", table.concat(lines, "\n") end
  end
  return "delivered", table.concat(lines, "\n")
end

local function report(name, delivery, status, output, after)
  local text = output:gsub("[^%C\n]", " "):sub(1, 1500):gsub("[\128-\255]*$", "")
  local result = {deliveryId = delivery.deliveryId, attempt = delivery.attempt, status = status, output = text}
  if status == "released" then result.retrySeconds = RETRY_SECONDS end
  core.log("action", "[shop] " .. delivery.nickname .. " " .. name .. " attempt " .. delivery.attempt .. ": " .. status)
  core.after(after, function() reports[name] = result end)
end

local function deliver(delivery)
  local name = delivery.deliveryId .. ":" .. delivery.run
  local steps, isBound = {}, delivery.requiresOnline
  for index, command in ipairs(delivery.commands) do
    local step, problem = parse(command, delivery.nickname)
    if not step then return report(name, delivery, "failed", problem, 0) end
    steps[index], isBound = step, isBound or step.item ~= nil
  end
  local player = online(delivery.nickname)
  if isBound and not player then return report(name, delivery, "released", "The player is not online.", 0) end
  local record = isBound and player:get_meta() or storage
  local kept = record:get_string("shop:" .. name)
  if kept ~= "" then
    local attempt, status = kept:match("^(%d+) (%S+)$")
    return report(name, delivery, status, "Attempt " .. attempt .. " ran it, says the record.", SAVED_AFTER)
  end
  local doubt = not isBound and delivery.possiblyExecuted
  if doubt then return report(name, delivery, "uncertain", "An earlier attempt may have run it, and no record says so.", 0) end
  local isFull = isBound and not fits(player:get_inventory(), steps)
  if isFull then return report(name, delivery, "released", "The inventory is full.", 0) end
  local status, output = run(steps, delivery.commands, player)
  record:set_string("shop:" .. name, delivery.attempt .. " " .. status)
  report(name, delivery, status, output, SAVED_AFTER)
end

local function acknowledge(done)
  local results, names = {}, {}
  for name, result in pairs(reports) do
    if #results < 50 then results[#results + 1], names[#names + 1] = result, name end
  end
  if #results == 0 then return done(true) end
  post("/deliveries/" .. shop .. "/ack", {results = results}, function(data)
    for index, name in ipairs(data and names or {}) do
      if reports[name] == results[index] then reports[name] = nil end
      core.log("action", "[shop] acknowledged " .. name .. ": " .. tostring((data.results[index] or {}).status))
    end
    done(data ~= nil)
  end)
end

local function round()
  local players = {}
  for index, player in ipairs(core.get_connected_players()) do players[index] = player:get_player_name() end
  local slots = tonumber(core.settings:get("max_users")) or 15
  local beat = {onlinePlayers = #players, maxPlayers = math.max(slots, #players), version = "Luanti " .. core.get_version().string}
  post("/servers/" .. shop .. "/" .. server .. "/heartbeat", beat, function() end)
  acknowledge(function(works)
    if not works then return core.after(PROBLEM_SECONDS, round) end
    -- An empty table of Lua is no empty list in JSON.
    local body = {serverId = server, limit = LIMIT, leaseSeconds = LEASE_SECONDS, players = #players > 0 and players or nil}
    post("/deliveries/" .. shop .. "/lease", body, function(lease)
      for _, delivery in ipairs(lease and lease.deliveries or {}) do deliver(delivery) end
      core.after(lease and lease.nextPollSeconds or PROBLEM_SECONDS, round)
    end)
  end)
end
core.after(1, round)
