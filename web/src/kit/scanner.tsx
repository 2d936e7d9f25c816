// The dialog that scans with the camera: the video with a frame, and what became of the last code. Loaded when it is opened.

import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core'
import { IconBulb, IconBulbOff } from '@tabler/icons-react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { messages } from '../messages.ts'
import { textOf } from '../server/call.ts'
import { type Camera, CameraError, openCamera } from './camera.ts'
import { openReader } from './code-reader.ts'
import { ScannedCodes } from './codes.ts'
import { usePhone } from './phone.ts'
import classes from './scanner.module.css'

const texts = messages.kit.scan
const pauseMs = 80
/** A phone vibrates briefly for each scanned code. */
const vibrationMs = 60

/** What became of a scanned code. */
export type Scanned =
  /** The dialog closes. */
  | { readonly is: 'done' }
  /** Shown as taken, and the scanner goes on. */
  | { readonly is: 'taken'; readonly text: string }
  /** No item has the code. */
  | { readonly is: 'unknown' }

export type ScannerProps = {
  readonly onCode: (code: string) => Promise<Scanned>
  /** Searches for a code that no item has, after the dialog was closed. */
  readonly onSearch: (code: string) => void
  readonly onClose: () => void
}

export function Scanner({ onCode, onSearch, onClose }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const { camera, problem, retry, fail } = useCamera(video)
  const last = useCodes({ camera, video, frame, onCode, onClose, fail })
  return (
    <Modal opened onClose={onClose} title={texts.title} size="lg" fullScreen={isPhone}>
      <Stack gap="sm">
        {problem === undefined ? (
          <div className={classes['stage']}>
            <video ref={video} className={classes['video']} muted playsInline autoPlay aria-label={texts.video} />
            <div ref={frame} className={classes['frame']} />
            {camera === undefined && <Loader className={classes['loader'] ?? ''} aria-label={texts.starting} />}
          </div>
        ) : (
          <Alert color="red" variant="outline" role="alert" title={texts.problems[problem]}>
            {problem !== 'insecure' && (
              <Button variant="default" onClick={retry}>
                {messages.kit.tryAgain}
              </Button>
            )}
          </Alert>
        )}
        {problem === undefined && <LastCode last={last} onSearch={onSearch} onClose={onClose} />}
        <Group justify="space-between" gap="xs">
          {camera?.light ? <LightButton light={camera.light} /> : <span />}
          <Button variant="default" onClick={onClose}>
            {last?.is === 'taken' ? texts.finish : messages.frame.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type Problem = keyof typeof texts.problems

/** The open camera, shown in the video; stopped when the dialog is closed. */
function useCamera(video: RefObject<HTMLVideoElement | null>) {
  const [camera, setCamera] = useState<Camera>()
  const [problem, setProblem] = useState<Problem>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the camera again
  useEffect(() => {
    let isClosed = false
    let opened: Camera | undefined
    const open = async (): Promise<void> => {
      const found = await openCamera(() => setProblem('stopped'))
      if (isClosed) return found.close()
      opened = found
      if (video.current) video.current.srcObject = found.stream
      setCamera(found)
    }
    void open().catch((error: unknown) => {
      if (!isClosed) setProblem(error instanceof CameraError ? error.problem : 'busy')
    })
    return () => {
      isClosed = true
      opened?.close()
      setCamera(undefined)
    }
  }, [attempt])
  const retry = (): void => {
    setProblem(undefined)
    setAttempt(attempt + 1)
  }
  const fail = useCallback(() => setProblem('unreadable'), [])
  return { camera: problem === undefined ? camera : undefined, problem, retry, fail }
}

type LastScanned =
  | { readonly is: 'taken'; readonly text: string }
  | { readonly is: 'unknown'; readonly code: string }
  | { readonly is: 'failed'; readonly text: string }

type Reading = Pick<ScannerProps, 'onCode' | 'onClose'> & {
  readonly camera: Camera | undefined
  readonly video: RefObject<HTMLVideoElement | null>
  readonly frame: RefObject<HTMLDivElement | null>
  /** Codes cannot be read at all. */
  readonly fail: () => void
}

/** Reads codes while the camera is open, and returns what became of the last one. */
function useCodes({ camera, video, frame, onCode, onClose, fail }: Reading): LastScanned | undefined {
  const [last, setLast] = useState<LastScanned>()
  const latest = useRef({ onCode, onClose })
  latest.current = { onCode, onClose }
  const take = useCallback(async (code: string): Promise<void> => {
    navigator.vibrate?.(vibrationMs)
    try {
      const scanned = await latest.current.onCode(code)
      if (scanned.is === 'done') latest.current.onClose()
      else setLast(scanned.is === 'unknown' ? { is: 'unknown', code } : scanned)
    } catch (error) {
      setLast({ is: 'failed', text: textOf(error) })
    }
  }, [])
  useEffect(() => {
    if (camera === undefined) return
    let isClosed = false
    const read = async (): Promise<void> => {
      const codes = new ScannedCodes()
      const reader = await openReader()
      try {
        while (!isClosed) {
          const found = video.current && frame.current ? await reader.read(video.current, frame.current) : []
          const code = codes.take(found)
          if (code !== undefined && !isClosed) await take(code)
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
        }
      } finally {
        reader.close()
      }
    }
    void read().catch(() => !isClosed && fail())
    return () => {
      isClosed = true
    }
  }, [camera, video, frame, take, fail])
  return last
}

type LastProps = Pick<ScannerProps, 'onSearch' | 'onClose'> & { readonly last: LastScanned | undefined }

function LastCode({ last, onSearch, onClose }: LastProps) {
  if (last?.is === 'unknown')
    return (
      <Alert color="yellow" variant="outline" role="alert" title={texts.unknown(shortened(last.code))}>
        <Button
          variant="default"
          onClick={() => {
            onClose()
            onSearch(last.code)
          }}
        >
          {texts.search}
        </Button>
      </Alert>
    )
  if (last?.is === 'failed') return <Alert color="red" variant="outline" role="alert" title={last.text} />
  return (
    <Text role="status" className={classes['status'] ?? ''} data-taken={last !== undefined || undefined}>
      {last?.text ?? texts.aim}
    </Text>
  )
}

const maxShown = 60
/** A QR code may contain thousands of characters. */
const shortened = (code: string): string => (code.length > maxShown ? `${code.slice(0, maxShown)}…` : code)

function LightButton({ light }: { light: NonNullable<Camera['light']> }) {
  const [isOn, setOn] = useState(false)
  const toggle = async (): Promise<void> => {
    await light(!isOn)
    setOn(!isOn)
  }
  return (
    <Button
      variant="default"
      aria-pressed={isOn}
      leftSection={isOn ? <IconBulbOff size={16} aria-hidden /> : <IconBulb size={16} aria-hidden />}
      // A camera may refuse; the light stays as it is.
      onClick={() => void toggle().catch(() => undefined)}
    >
      {texts.light}
    </Button>
  )
}
