import { Injectable, type PipeTransform } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { TEST_ACTION_NAMES, type TestAction } from './test-payment-rules.js';

/** Accepts the name of an action in a path. @throws AppError route_not_found */
@Injectable()
export class TestActionPipe implements PipeTransform<string, TestAction> {
  transform(name: string): TestAction {
    const action = TEST_ACTION_NAMES.find((one) => one === name);
    if (action === undefined) throw new AppError('route_not_found');
    return action;
  }
}
