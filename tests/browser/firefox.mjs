// Opens a page in a running Firefox over WebDriver BiDi and prints what a script in it returns.
// Usage: node firefox.mjs ws://127.0.0.1:PORT ADDRESS SCRIPT     (SCRIPT: an expression, its promise is awaited)
// Node's own WebSocket is enough; no driver program is needed.
const [endpoint, address, script] = process.argv.slice(2);

const socket = new WebSocket(`${endpoint}/session`);
await new Promise((open, fail) => {
  socket.onopen = open;
  socket.onerror = () => fail(new Error(`nothing answers at ${endpoint}`));
});

let sent = 0;
const waiting = new Map();
socket.onmessage = ({ data }) => {
  const { id, type, result, message } = JSON.parse(data);
  const [done, fail] = waiting.get(id) ?? [];
  waiting.delete(id);
  if (type === "error") fail?.(new Error(message));
  else done?.(result);
};

function command(method, params) {
  sent += 1;
  const id = sent;
  socket.send(JSON.stringify({ id, method, params }));
  return new Promise((done, fail) => waiting.set(id, [done, fail]));
}

await command("session.new", { capabilities: {} });
try {
  const { context } = await command("browsingContext.create", { type: "tab" });
  await command("browsingContext.navigate", { context, url: address, wait: "complete" });
  const target = { context };
  const answer = await command("script.evaluate", { expression: script, target, awaitPromise: true });
  if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
  console.log(answer.result.value);
} finally {
  // Firefox has one session at a time: left open it would keep out the next.
  await command("session.end", {});
  socket.close();
}
