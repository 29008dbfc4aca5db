// A button that asks a provider or a model now, and what came of it.
import { useState } from 'preact/hooks';
import { problemText } from '../../api/api-error.ts';
import { type TestResult, testText } from '../states/provider-words.ts';
import { Button } from './button.tsx';

interface Props {
  name: string;
  isDisabled?: boolean;
  test: () => Promise<{ data: TestResult }>;
  onTested?: () => void;
}

export function ProviderTest({ name, isDisabled = false, test, onTested }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<TestResult>();
  const run = async () => {
    setBusy(true);
    setResult(undefined);
    try {
      setResult((await test()).data);
    } catch (error) {
      setResult({ ok: false, ms: 0, problem: problemText(error) });
    }
    setBusy(false);
    onTested?.();
  };
  return (
    <span class="provider-test">
      <Button isSmall label={`Test ${name}`} busy={isBusy} disabled={isDisabled} onClick={() => void run()}>
        Test
      </Button>
      <span role="status" class={`small ${result?.ok === false ? 'is-bad' : 'is-good'}`}>
        {result && testText(result)}
      </span>
    </span>
  );
}
