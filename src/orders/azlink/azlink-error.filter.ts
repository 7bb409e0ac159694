import { Catch, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type AppError } from '../../domain/errors/app-error.js';
import { errorEnvelope } from '../../domain/errors/error-envelope.js';
import { publicPath } from '../../http/addresses/public-path.js';
import { AppExceptionFilter } from '../../http/responses/exception.filter.js';

/** Adds `message` to errors: some of the plugins read nothing else. */
@Catch()
@Injectable()
export class AzLinkErrorFilter extends AppExceptionFilter {
  protected override respond(error: AppError, request: Request, response: Response): void {
    const envelope = errorEnvelope(error.code, publicPath(request.originalUrl), error.message);
    response.json({ ...envelope, message: error.message });
  }
}
