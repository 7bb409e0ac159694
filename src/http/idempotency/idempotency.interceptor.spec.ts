import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CallHandler, type ExecutionContext, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { firstValueFrom, from, type Observable, of, throwError } from 'rxjs';
import { AppError } from '../../domain/errors/app-error.js';
import { type Creation, newCreation } from '../../infrastructure/idempotency/creation.js';
import { IdempotencyInterceptor, ShowsSecretOnce } from './idempotency.interceptor.js';
import { type IdempotencyService, type BegunRequest } from '../../infrastructure/idempotency/idempotency.service.js';

const CREATION = newCreation();
const DATA = { id: '655f1c2ab1e4a9d3f0c81250' };

describe('IdempotencyInterceptor', () => {
  let calls: string[];
  let place: BegunRequest;
  let finishFails: boolean;
  let route: () => void;
  let headers: Record<string, string>;
  let request: { get: () => string | undefined; path: string; body: object; creation?: Creation };
  let interceptor: IdempotencyInterceptor;

  beforeEach(() => {
    Logger.overrideLogger(false);
    calls = [];
    request = { get: () => 'a-key-of-16-signs', path: '/orders', body: {} };
    place = { scope: 'scope', creation: CREATION };
    finishFails = false;
    route = () => undefined;
    headers = {};
    interceptor = new IdempotencyInterceptor(
      {
        begin: () => Promise.resolve(place),
        finish: () => {
          calls.push('finish');
          return finishFails ? Promise.reject(new Error('the database is down')) : Promise.resolve();
        },
        finishWithoutResponse: () => {
          calls.push('finish unkept');
          return Promise.resolve();
        },
        forget: () => {
          calls.push('forget');
          return Promise.resolve();
        },
      } as unknown as IdempotencyService,
      new Reflector(),
    );
  });

  const intercept = (handle: () => Observable<unknown>): Observable<unknown> =>
    interceptor.intercept(
      {
        getHandler: () => route,
        switchToHttp: () => ({
          getRequest: () => request,
          getResponse: () => ({ setHeader: (name: string, value: string) => (headers[name] = value) }),
        }),
      } as unknown as ExecutionContext,
      { handle } as CallHandler,
    );

  it('stores the response of a successful request', async () => {
    expect(await firstValueFrom(intercept(() => of(DATA)))).toBe(DATA);
    expect(calls).toEqual(['finish']);
  });

  it('stores no response with a secret that is shown once, but stores that it was sent', async () => {
    ShowsSecretOnce(true)(route);
    expect(await firstValueFrom(intercept(() => of(DATA)))).toBe(DATA);
    expect(calls).toEqual(['finish unkept']);
  });

  it('sends the response even when it cannot be stored, and does not remove the record, because the request was carried out', async () => {
    finishFails = true;
    expect(await firstValueFrom(intercept(() => of(DATA)))).toBe(DATA);
    expect(calls).toEqual(['finish']);
  });

  it('gives the handler the ids of what it creates', async () => {
    const handle = (): Observable<unknown> => of(request.creation);
    expect(await firstValueFrom(intercept(handle))).toBe(CREATION);
  });

  it('keeps the record of a repeated request whose secret cannot be shown again, because it was carried out', async () => {
    const done = new AppError('secret_shown_once');
    await expect(firstValueFrom(intercept(() => throwError(() => done)))).rejects.toBe(done);
    expect(calls).toEqual(['finish unkept']);
  });

  it('removes the record of a rejected request, which changed nothing', async () => {
    const rejection = new AppError('nickname_not_allowed');
    await expect(firstValueFrom(intercept(() => throwError(() => rejection)))).rejects.toBe(rejection);
    expect(calls).toEqual(['forget']);
  });

  it.each([
    ['an outage', new AppError('service_unavailable')],
    ['a connection that broke during the commit', new Error('broken')],
  ])('keeps the record of a request whose result is unknown: %s', async (_, error) => {
    await expect(firstValueFrom(intercept(() => throwError(() => error)))).rejects.toBe(error);
    expect(calls).toEqual([]);
  });

  it('stores the response although the client no longer waits for it', async () => {
    let end: (response: unknown) => void = () => undefined;
    const work = new Promise((resolve) => (end = resolve));
    const started = new Promise<void>((resolve) => {
      const subscription = intercept(() => {
        resolve();
        return from(work);
      }).subscribe();
      void work.then(() => {
        subscription.unsubscribe();
      });
    });
    await started;
    end(DATA);
    await work;
    await new Promise((resume) => setImmediate(resume));
    expect(calls).toEqual(['finish']);
  });

  it('returns an earlier response, says so in a header, and does not run again', async () => {
    place = { response: DATA };
    const never = (): Observable<unknown> => throwError(() => new Error('ran again'));
    expect(await firstValueFrom(intercept(never))).toBe(DATA);
    expect(headers).toEqual({ 'Idempotency-Replayed': 'true' });
    expect(calls).toEqual([]);
  });

  it('rejects a key that is too short to be unique, and accepts a request without a key', async () => {
    request.get = () => 'order-1';
    expect(() => intercept(() => of(DATA))).toThrow('Idempotency-Key must be 16 to 255 letters');
    request.get = () => undefined;
    expect(await firstValueFrom(intercept(() => of(DATA)))).toBe(DATA);
    expect(calls).toEqual([]);
  });
});
