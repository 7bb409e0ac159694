import { type Request, type Response } from 'express';

/**
 * Resolves when a response is sent or its client has left. A response that waits behind others of its connection emits no event
 * when the connection closes, so this listens to both.
 */
export function closed({ socket }: Request, response: Response): Promise<void> {
  return new Promise((resolve) => {
    // No further event will report it: the client has left, or got a 503 because the result came too late.
    if (socket.destroyed || response.writableEnded) {
      resolve();
      return;
    }
    const end = (): void => {
      socket.off('close', end);
      response.off('close', end);
      resolve();
    };
    socket.once('close', end);
    response.once('close', end);
  });
}
