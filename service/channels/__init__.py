"""Channels: conversion of requests to events of the core, their stored form, and their certificates."""
