<?php
/**
 * Work in the background: by Action Scheduler, which is part of WooCommerce, or else by WP-Cron.
 *
 * @package Kontor\WooCommerce
 */

namespace Kontor\WooCommerce;

defined( 'ABSPATH' ) || exit;

final class Queue {

	const GROUP        = 'kontor';
	const POLL_SECONDS = 300;
	const HOOKS        = array( 'kontor_send_order', 'kontor_cancel_sale', 'kontor_refresh_sale', 'kontor_pull_stock', 'kontor_poll' );

	public static function register() {
		add_filter( 'cron_schedules', array( self::class, 'schedules' ) );
		add_action( 'init', array( self::class, 'poll' ), 20 );
	}

	/**
	 * Calls the hook later, unless it waits already. One that is running now is called once more, because it may have read what is now out of date.
	 *
	 * @param string $hook  One of the hooks.
	 * @param array  $args  Its arguments.
	 * @param int    $delay In seconds.
	 */
	public static function add( $hook, array $args = array(), $delay = 0 ) {
		$at = time() + $delay;
		if ( self::has_action_scheduler() ) {
			if ( ! is_int( as_next_scheduled_action( $hook, $args, self::GROUP ) ) ) {
				as_schedule_single_action( $at, $hook, $args, self::GROUP );
			}
			return;
		}
		if ( false === wp_next_scheduled( $hook, $args ) ) {
			wp_schedule_single_event( $at, $hook, $args );
		}
	}

	/** Calls it soon, even if it waits for a later time: a retry that was put off. */
	public static function add_now( $hook, array $args = array() ) {
		if ( self::has_action_scheduler() ) {
			as_unschedule_action( $hook, $args, self::GROUP );
		} else {
			wp_clear_scheduled_hook( $hook, $args );
		}
		self::add( $hook, $args );
	}

	/** Levels are read regularly, in case a webhook is lost or none is set up; and orders that wait are looked for. */
	public static function poll() {
		if ( ! Settings::is_complete() ) {
			return;
		}
		if ( self::has_action_scheduler() ) {
			if ( false === as_next_scheduled_action( 'kontor_poll', array(), self::GROUP ) ) {
				as_schedule_recurring_action( time() + self::POLL_SECONDS, self::POLL_SECONDS, 'kontor_poll', array(), self::GROUP );
			}
		} elseif ( false === wp_next_scheduled( 'kontor_poll' ) ) {
			wp_schedule_event( time() + self::POLL_SECONDS, 'kontor_five_minutes', 'kontor_poll' );
		}
	}

	public static function schedules( $schedules ) {
		$schedules['kontor_five_minutes'] = array(
			'interval' => self::POLL_SECONDS,
			'display'  => __( 'Every five minutes (Kontor)', 'kontor-for-woocommerce' ),
		);
		return $schedules;
	}

	public static function clear() {
		foreach ( self::HOOKS as $hook ) {
			wp_unschedule_hook( $hook );
			if ( function_exists( 'as_unschedule_all_actions' ) ) {
				as_unschedule_all_actions( $hook, array(), self::GROUP );
			}
		}
	}

	private static function has_action_scheduler() {
		return function_exists( 'as_schedule_single_action' ) && function_exists( 'as_next_scheduled_action' )
			&& ( ! class_exists( '\ActionScheduler', false ) || \ActionScheduler::is_initialized() );
	}
}
