import { act, fireEvent, screen } from '@testing-library/react';
import * as z from 'zod/mini';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { THEME_KEY } from '@/lib/theme';
import { text } from '@/lib/validation';
import { passTime } from '@/testing/pass-time';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { Breadcrumb } from './breadcrumb';
import { Button } from './button';
import { CopyButton } from './copy-button';
import { Form, SubmitButton } from './form/form';
import { TextField } from './form/text-field';
import { useAppForm } from './form/use-app-form';
import { Modal } from './modal';
import { Pagination } from './pagination';
import { ErrorState, Loading } from './states';
import { ThemeSwitch } from './theme-switch';

const show = (element: React.ReactElement, at = '/') => renderRoutes([{ path: '/', element }], { at });

afterEach(() => vi.useRealTimers());

describe('Button', () => {
  it('keeps its label while pending and ignores the second click', async () => {
    const handleClick = vi.fn();
    const { user } = show(
      <Button pending onClick={handleClick}>
        Save
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Save' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await user.click(button);
    expect(handleClick).not.toHaveBeenCalled();
  });
});

describe('a slow submit', () => {
  const schema = z.object({ name: text('Name') });
  function SlowForm({ send }: { send: (signal: AbortSignal) => Promise<void> }) {
    const form = useAppForm({ schema, defaultValues: { name: 'Asha' }, onSubmit: (_values, signal) => send(signal) });
    return (
      <Form form={form} label="Slow">
        <TextField name="name" label="Name" />
        <SubmitButton>Send</SubmitButton>
      </Form>
    );
  }

  it('says "Still working" after 10 s and sends again on Retry after 30 s, giving the first up', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const signals: AbortSignal[] = [];
    const { user } = show(<SlowForm send={(signal) => new Promise(() => signals.push(signal))} />);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(signals).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.getByText(/Still working/)).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(signals).toHaveLength(2);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  });

  it('names the field of every error in its summary', async () => {
    function Lines() {
      const line = (label: string) => text(label, [[(value) => value.length > 1, 'Please use at least 2 characters']]);
      const form = useAppForm({
        schema: z.object({ street: line('Street'), landmark: line('Landmark'), code: text('Code') }),
        defaultValues: { street: 'a', landmark: 'b', code: '' },
        onSubmit: () => undefined,
      });
      return (
        <Form form={form} label="Lines">
          <TextField name="street" label="Street" />
          <TextField name="landmark" label="Landmark" />
          <TextField name="code" label="Code" />
          <SubmitButton>Send</SubmitButton>
        </Form>
      );
    }
    const { user } = show(<Lines />);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    const links = await screen.findAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual([
      'Street: Please use at least 2 characters',
      'Landmark: Please use at least 2 characters',
      'Code can not be empty.',
    ]);
  });

  it('offers the way on that a refusal names', async () => {
    const refusal = new ApiError({
      status: 402,
      code: 'plan_required',
      message: 'Kindly choose a plan',
      redirectTo: '/pricing',
    });
    const { user } = show(<SlowForm send={() => Promise.reject(refusal)} />);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Kindly choose a plan');
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute('href', '/pricing');
  });

  it('shows the request id of a fault that support can look up', async () => {
    const { user } = show(<SlowForm send={() => Promise.reject(new ApiError({ status: 500, requestId: 'req-3' }))} />);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Server error! Please try again later.Request id: req-3',
    );
  });
});

describe('CopyButton', () => {
  it('copies, says so, and shows its icon again after two seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { user } = show(<CopyButton value="FP-1" what="order id" done="Id copied" />);
    await user.click(screen.getByRole('button', { name: 'Copy order id' }));
    expect(await navigator.clipboard.readText()).toBe('FP-1');
    expect(screen.getByText('Id copied')).toBeInTheDocument();
    expect(screen.getByText('Copied')).toBeInTheDocument();
    passTime(2000);
    expect(screen.getByText('Copy')).toBeInTheDocument();
  });
});

describe('Modal', () => {
  it('is labelled and closes by Esc', async () => {
    const handleClose = vi.fn();
    const { user, baseElement } = show(
      <Modal open title="Payment Details" onClose={handleClose}>
        <button>Inside</button>
      </Modal>,
    );
    expect(await screen.findByRole('dialog', { name: 'Payment Details' })).toBeInTheDocument();
    expect(await accessibilityFaults(baseElement)).toEqual([]);
    await user.keyboard('{Escape}');
    expect(handleClose).toHaveBeenCalledOnce();
  });
});

describe('Pagination', () => {
  it('shows Prev, the current page, the next page and Next, and keeps the search', () => {
    show(<Pagination label="Orders, pages" current={2} last={4} />, '/?search=asha&page=2');
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Prev', '/?search=asha&page=1'],
      ['2', '/?search=asha&page=2'],
      ['3', '/?search=asha&page=3'],
      ['Next', '/?search=asha&page=3'],
    ]);
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('2');
  });

  it('shows nothing for a single page', () => {
    show(<Pagination label="Orders, pages" current={1} last={1} />);
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
  });
});

describe('states of loading', () => {
  it('say after 10 s that the work goes on and offer Retry after 30 s', () => {
    vi.useFakeTimers();
    const handleRetry = vi.fn();
    show(
      <Loading what="your orders" onRetry={handleRetry}>
        <span />
      </Loading>,
    );
    expect(screen.getByText('Loading your orders')).toBeInTheDocument();
    passTime(10_000);
    expect(screen.getByText(/^Still working/)).toBeInTheDocument();
    passTime(20_000);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(handleRetry).toHaveBeenCalledOnce();
  });

  it.each([
    ['/pricing', 'See the plans', '/pricing'],
    ['/store-details/address', 'Give your business address', '/store-details/address?return=%2Fdashboard'],
    ['/account/security', 'Keep my account', '/account/security'],
    ['/checkout/result/success?transaction_id=T1', 'See this payment', '/checkout/result/success?transaction_id=T1'],
    ['subscription_dashboard', 'Open your dashboard', '/dashboard'],
    ['subscription_store', 'Set up your store', '/store-details'],
    ['/faq', 'Continue', '/faq'],
  ])('tell a failure that leads to %s with a button there', (redirectTo, name, href) => {
    show(
      <ErrorState
        error={new ApiError({ status: 409, message: 'Not like this.', redirectTo })}
        onRetry={() => undefined}
        back="/dashboard"
      />,
    );
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
  });

  it('tell no way on where the address is another site’s', () => {
    show(
      <ErrorState
        error={new ApiError({ status: 409, message: 'Not like this.', redirectTo: '//evil.example' })}
        onRetry={() => undefined}
      />,
    );
    expect(screen.queryByRole('link')).not.toBeInTheDocument();
  });

  it('says what is wrong with each filter, because no field is marked', () => {
    const fields = {
      from: ['Choose a month up to the last one.'],
      to: ['Choose a month up to the last one.', 'Wait.'],
    };
    const error = new ApiError({ status: 422, message: 'Please check the marked fields.', fields });
    show(<ErrorState error={error} what="profit and loss" onRetry={vi.fn()} />);
    expect(screen.getByText('Choose a month up to the last one. Wait.')).toBeVisible();
    expect(screen.queryByText(/marked fields/)).not.toBeInTheDocument();
  });

  it('tell a failure with its request id and Retry', () => {
    show(<ErrorState error={new ApiError({ status: 500, requestId: 'req-5' })} what="your orders" onRetry={vi.fn()} />);
    expect(screen.getByRole('alert')).toHaveTextContent('We could not load your orders.');
    expect(screen.getByText('Request id: req-5')).toBeInTheDocument();
  });
});

describe('ThemeSwitch', () => {
  it('steps through system, light and dark and keeps the choice', async () => {
    const { user } = show(<ThemeSwitch />);
    await user.click(screen.getByRole('button', { name: 'Colour theme: System. Change' }));
    expect(document.documentElement).toHaveAttribute('data-bs-theme', 'light');
    await user.click(screen.getByRole('button', { name: 'Colour theme: Light. Change' }));
    expect(document.documentElement).toHaveAttribute('data-bs-theme', 'dark');
    expect(localStorage.getItem(THEME_KEY)).toBe('dark');
  });
});

it('Breadcrumb marks the page itself', () => {
  show(<Breadcrumb items={[{ label: 'Pricing', to: '/pricing' }, { label: 'Choose Your Plan' }]} />);
  expect(screen.getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/pricing');
  expect(screen.getByText('Choose Your Plan')).toHaveAttribute('aria-current', 'page');
});
