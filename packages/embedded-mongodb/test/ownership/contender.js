// A process that starts the compiled store in the directory that its parent sends, reports whether it could, and closes it
// on request.
import { startEmbeddedStore } from '../../dist/index.js';

let store;
process.on('message', async (message) => {
  if ('close' in message) {
    await store?.close();
    store = undefined;
    process.send({ closed: true });
  } else {
    try {
      store = await startEmbeddedStore({ path: message.path });
      process.send({ started: true });
    } catch (error) {
      process.send({ started: false, message: error.message });
    }
  }
});
process.send({ ready: true });
