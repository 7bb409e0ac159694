import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** A proxy in front of a server that a test can close, stall or slow down. */
export interface Gate {
  readonly port: number;
  /** Closes every connection and accepts no new one. */
  shut(): void;
  /** Passes nothing on, as a network that loses every packet: connections stay open, and new ones get no response. */
  stall(): void;
  /** Passes on only what new connections send: those from before the last `stall` stay open, and get no response. */
  replace(): void;
  /** Ends `shut` and `stall`. Connections from before `stall` are closed, because what they sent is lost. */
  open(): void;
  /** How much later everything arrives from now on, in each direction. */
  delay(delayMs: number): void;
  /** Lets nothing that contains all of these bytes in one chunk arrive at the server before `release`. Nothing is lost. */
  hold(...bytes: readonly Buffer[]): Held;
  close(): Promise<void>;
}

/** What a gate holds back. */
export interface Held {
  /** How many chunks it has held back, each with one command. */
  count(): number;
  release(): void;
}

/** Starts a proxy. @param connectToServer opens a connection to the server behind it */
export async function gateTo(connectToServer: () => Socket): Promise<Gate> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  let isStalled = false;
  let delayMs = 0;
  let holding: { readonly bytes: readonly Buffer[]; readonly released: Promise<void>; count: number } | null = null;
  /** Passes on each chunk after the delay, in order, also when the delay becomes shorter. */
  const delayed = (isToServer: boolean): Transform => {
    let previous: Promise<unknown> = Promise.resolve();
    const later = (step: () => unknown, until?: Promise<void>): void => {
      previous = Promise.all([previous, pause(delayMs), until]).then(() => step());
    };
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const held = isToServer && holding?.bytes.every((bytes) => chunk.includes(bytes)) === true ? holding : null;
        if (held !== null) held.count++;
        later(() => this.push(chunk), held?.released);
        done();
      },
      flush: (done) => {
        later(done);
      },
    });
  };
  const gate = createServer((client) => {
    if (!isOpen) return client.destroy();
    if (isStalled) {
      sockets.add(client.on('error', () => client.destroy()));
      return client;
    }
    const onward = connectToServer();
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('close', () => sockets.delete(socket));
    }
    client.once('close', () => onward.destroy());
    onward.once('close', () => client.destroy());
    return client.pipe(delayed(true)).pipe(onward).pipe(delayed(false)).pipe(client);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (gate.address() as AddressInfo).port,
    shut: () => {
      isOpen = false;
      breakAll();
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    replace: () => {
      isStalled = false;
    },
    open: () => {
      if (isStalled) breakAll();
      isOpen = true;
      isStalled = false;
    },
    delay: (newDelayMs) => {
      delayMs = newDelayMs;
    },
    hold: (...bytes) => {
      let release = (): void => undefined;
      const held = { bytes, released: new Promise<void>((resolve) => (release = resolve)), count: 0 };
      holding = held;
      return {
        count: () => held.count,
        release: () => {
          if (holding === held) holding = null;
          release();
        },
      };
    },
    close: async () => {
      breakAll();
      gate.close();
      await once(gate, 'close');
    },
  };
}
