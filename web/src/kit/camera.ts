// The camera of the device: whether there is one, opening the rear one, its light, and why it cannot be used.

import { useEffect, useState } from 'react'

export type CameraProblem = 'insecure' | 'refused' | 'missing' | 'busy'

export class CameraError extends Error {
  readonly problem: CameraProblem

  constructor(problem: CameraProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Phones and tablets have one. Elsewhere the browser says so, without asking for permission. */
export function useHasCamera(): boolean {
  const [hasCamera, setHasCamera] = useState(() => window.matchMedia('(pointer: coarse)').matches)
  useEffect(() => {
    // Undefined over plain HTTP.
    const devices: MediaDevices | undefined = navigator.mediaDevices
    const look = async (): Promise<void> => {
      const all = (await devices?.enumerateDevices()) ?? []
      if (all.some(({ kind }) => kind === 'videoinput')) setHasCamera(true)
    }
    void look().catch(() => undefined)
  }, [])
  return hasCamera
}

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
}

export type Camera = {
  readonly stream: MediaStream
  /** Turns the light on or off; undefined if there is none that the browser controls. */
  readonly light: ((isOn: boolean) => Promise<void>) | undefined
  readonly close: () => void
}

type WithTorch = { readonly torch?: boolean }

export async function openCamera(onEnded: () => void): Promise<Camera> {
  if (!window.isSecureContext) throw new CameraError('insecure')
  const devices: MediaDevices | undefined = navigator.mediaDevices
  if (devices === undefined) throw new CameraError('missing')
  let stream: MediaStream
  try {
    stream = await devices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: 'environment' }, width: { ideal: 1920 }, height: { ideal: 1080 } },
    })
  } catch (error) {
    throw new CameraError(problems[error instanceof Error ? error.name : ''] ?? 'busy')
  }
  const [track] = stream.getVideoTracks()
  track?.addEventListener('ended', onEnded)
  const hasLight = (track?.getCapabilities?.() as WithTorch | undefined)?.torch === true
  const light = async (torch: boolean): Promise<void> => {
    await track?.applyConstraints({ advanced: [{ torch } as MediaTrackConstraintSet] })
  }
  return {
    stream,
    light: hasLight ? light : undefined,
    close: () => {
      for (const one of stream.getTracks()) one.stop()
    },
  }
}
